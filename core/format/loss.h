/*
 * Context: P.  Every way in which the target can lose a count: name, number,
 * unit and sentence.  libmon.so counts losses in the header of the profile by
 * the numbers; reports of prof and tprof print the texts.  Part of format.h.
 */
#ifndef LOSS_H
#define LOSS_H

#include <stdbool.h>

/*
 * Each row is one counter in the header of a profile: name, number, unit, text.
 * Numbers are permanent: a number is never given to another loss.  Reports
 * print every row that is not zero.
 */
#define LOSS_TABLE(X) \
	X(NESTED, 0, "ticks", "a tick came while one was being counted") \
	X(STORE_FULL, 1, "ticks", "the file reached its size limit (size=)") \
	X(STORE_SPACE, 2, "ticks", "no space left on the device or quota") \
	X(STORE_TAKEN, 3, "ticks", \
	    "the file was truncated by another program") \
	X(STORE_NONE, 4, "ticks", "the file could not be created") \
	X(STORE_RACE, 5, "ticks", "the file was still being created") \
	X(ALTSTACK, 6, "threads", \
	    "alternate signal stack too small for a tick") \
	X(THREAD_CLOCK, 7, "threads", "no clock was available for a thread") \
	X(THREAD_SLOT, 8, "threads", \
	    "more threads alive than there are slots") \
	X(THREAD_FROZEN, 9, "threads", \
	    "thread made after seccomp, not clocked") \
	X(FROZEN, 10, "ticks", "needed a system call that seccomp may forbid") \
	X(MODULE_FULL, 11, "modules", "module table full") \
	X(MODULE_READ, 12, "reads", "the memory map could not be read") \
	X(PC_UNKNOWN, 13, "places", \
	    "a tick's address was in no known mapping") \
	X(DISPLACED, 14, "times", "the program replaced our signal handler") \
	X(YIELDED, 15, "times", "the process timer was left to the program") \
	X(RING, 16, "ticks", "ticks missed in a ring that was overrun") \
	X(SLEEP_READ, 17, "reads", "a sleeping thread could not be read") \
	X(TAIL, 18, "threads", "ended before its last time was read") \
	X(KERNEL_RING, 19, "ticks", "kernel records overwritten before read") \
	X(RING_LEFT, 20, "ticks", "unread in the ring of a thread that ended") \
	X(CALL_SPACE, 21, "calls", "no space in the file for one more arc") \
	X(CALL, 22, "calls", "made where they could not be counted") \
	X(HISTOGRAM_FULL, 23, "counts", \
	    "a counter that the program gave to profil was at its maximum") \
	X(HISTOGRAM_GONE, 24, "counts", \
	    "a buffer that the program gave to profil was unmapped") \
	X(MOMENT, 25, "moments", \
	    "no room in the time line (log=yes); their ticks are counted") \
	X(HEAP_NESTED, 26, "heap calls", \
	    "made inside of another: by a signal's handler, or an allocator") \
	X(HEAP_TABLE, 27, "allocations", \
	    "no room in the table of live blocks (heapsize=)") \
	X(HEAP_SPACE, 28, "allocations", \
	    "no space left on the device or quota for one more call path") \
	X(HEAP_PLACE, 29, "heap calls", "made where they could not be counted")\
	X(HEAP_LEFT, 30, "heap calls", \
	    "left by a jump, or given up after a wait: live may be too high") \
	X(HEAP_BEHIND, 31, "programs", \
	    "the heap is not counted: the program has its own malloc") \
	X(HEAP_FULL, 32, "allocations", \
	    "the file reached its size limit (size=): no room for one more " \
	    "call path") \
	X(HEAP_FROZEN, 33, "allocations", \
	    "needed a system call that seccomp may forbid") \
	X(HEAP_NONE, 34, "allocations", "the file could not be created") \
	X(MODULE_SPACE, 35, "modules", \
	    "no space in the file for one more module") \
	X(FAULT, 36, "stacks", \
	    "cut, because memory was unmapped while it was read") \
	X(CHILD_FILE, 37, "processes", \
	    "could create no file behind chroot, setuid or a sandbox") \
	X(SHARED_MEMORY, 38, "processes", \
	    "ran in the memory of another (vfork, or clone with CLONE_VM)") \
	X(COPIES, 39, "objects", \
	    "another copy of libmon.so was loaded too, and counted nothing") \
	X(HEAP_MAPS, 40, "mappings", \
	    "no room in the table of live mappings, which holds 65,536") \
	X(THREAD_POINTER, 41, "ticks", \
	    "came while the program had replaced the thread pointer") \
	X(IMAGE_FILE, 42, "programs", \
	    "executed where no file could be created: behind chroot, setuid " \
	    "or a sandbox") \
	X(STORE_CLOSED, 43, "ticks", \
	    "came while the profile was being ended, as before an exec") \
	X(HEAP_CLOSED, 44, "allocations", \
	    "made while the profile was being ended, as before an exec")

/* LOSS_NAME is the number of the loss NAME. */
enum loss {
#define LOSS_ENUM(name, number, unit, text) LOSS_##name = number,
	LOSS_TABLE(LOSS_ENUM)
#undef LOSS_ENUM
	LOSS_COUNT
};

/*
 * Counters that the header has room for.  A reader that meets a number without
 * a row prints the bare number.
 */
#define LOSS_MAX 64

/*
 * Returns the text, the unit or the name of a loss, or NULL for a number
 * without a row.
 */
const char *loss_text(unsigned number);
const char *loss_unit(unsigned number);
const char *loss_name(unsigned number);

/* Returns whether the loss is of blocks: allocations, or calls about them. */
bool loss_is_of_blocks(unsigned number);

#endif
