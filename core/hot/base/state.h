/*
 * Context: S.  All state that changes in a profiled process, in one place, with
 * the variables that hold it.  Comments of groups of fields say which thread
 * writes them; all other threads only read them.
 */
#ifndef STATE_H
#define STATE_H

#include "base/config.h"
#include "base/sys.h"
#include "format.h"
#include "module/link_map_list.h"
#include "unwind/cfi.h"

#include <stdatomic.h>
#include <sys/time.h>

/*
 * Sections that order the library's zeroed data.  GNU ld sorts .bss by name
 * (lld and mold do not), and -fdata-sections gives each variable a section of
 * its own.  First comes STATE_FIRST, the alternate stack: a handler that
 * overflows it meets pages that are read only (RELRO) and not our state.  Then
 * comes, in one page, what a start touches, ending with the head of the
 * configuration.  Rarely used data follows.  The data that forks wipe comes
 * last, so that the kernel splits the mapping into two parts and not three.
 */
#define STATE_FIRST		__attribute__((section(".bss")))
#define STATE_SECTION(name)	__attribute__((section(".bss.zz." name)))

/*
 * Marks functions that each process runs, fork children included.  They are
 * adjacent in the library, because a child takes a page fault for each 64 KiB
 * of code that it touches.
 */
#define STATE_START	__attribute__((section(".text.startup.mon")))


/* The life of a slot, in this order. */
enum thread_slot_state {
	THREAD_SLOT_FREE = 0,	/* no thread has it */
	THREAD_SLOT_TAKEN,		/* one thread sets it up or clears it */
	THREAD_SLOT_LIVE,		/* its thread runs and may tick */
	/*
	 * its thread has said that it ends; the slot is reclaimed when it is
	 * gone
	 */
	THREAD_SLOT_ENDED,
};

/* The ring of a perf event: a control page, then data pages or none. */
struct perf_ring {
	/* its mapping, or NULL */
	_Atomic(void *) map;
	uint64_t bytes;		/* size of the mapping */
	uint64_t tail;		/* records before this offset have been read */
	unsigned words;		/* size of a record in 8-byte words */
};

/* All that the library knows of one thread. */
struct thread_slot {
	/*
	 * Identity, written by the thread that takes or reclaims the slot,
	 * except where a comment says otherwise.
	 */
	_Atomic unsigned state;	/* enum thread_slot_state */
	int tid;		/* kernel's id of its thread */
	/*
	 * Not 0: the coarse clock may be missing the thread, so functions in
	 * which it sleeps check that.  Its own thread writes it.
	 * THREAD_SLOT_WATCHED is its offset.
	 */
	int watched;
	/* In a free slot: the number + 1 of the next free one. */
	_Atomic unsigned next_free;
	bool native;		/* libc made the thread, so its TLS is valid */
	/* thread pointer of a native thread, as libc set it */
	uintptr_t pointer;
	bool main;		/* it is the first thread of the process */
	/* The fine clock still sends the signal from before a move. */
	_Atomic bool renew;
	/*
	 * The thread uses an alternate stack that cannot hold a tick, so it
	 * gets no clock any more.
	 */
	_Atomic bool stack_small;
	/* counted as a thread that could have no clock */
	bool clockless;
	/* a tick came that the stack did not hold, and was counted as a loss */
	bool stack_tight;
	/* our alternate stack, kept when the slot is freed; NULL: none yet */
	void *altstack;
	/* start routine that pthread_create() was asked to run */
	void *(*start)(void *);
	void *argument;		/* its argument */
	struct {
		/* start routine of thrd_create(), cast */
		void (*fn)(void);
		void *argument;
	} thrd;
	unsigned char asked[4];	/* initial value of signal_mask_own.asked */
	bool held;		/* its maker had the tick's signal blocked */
	/* its lane, in which it counts allocations, or NULL */
	struct alloc_thread *lane;
	/*
	 * The thread's stack is mapped from stack_low to stack_high while the
	 * thread is there.
	 */
	uintptr_t stack_low;
	uintptr_t stack_high;
	/* it is the first thread's stack, which grows downwards */
	bool stack_grows;
	/* size of the stack with its guard; 0: not known */
	size_t stack_bytes;

	/*
	 * Clocks, written by the thread itself, or by a thread that keeps its
	 * ticks out.
	 */
	/* kernel timer id + 1 of the coarse clock; 0: none */
	_Atomic int timer;
	unsigned coarse;	/* enum format_coarse */
	int coarse_errno;	/* errno of a coarse clock that was refused */
	unsigned epoch;		/* mon->epoch to which coarse_ns belongs */
	uint64_t coarse_ns;	/* interval of the coarse clock, ns */
	/*
	 * CPU time, ns, that the next coarse tick stands for if it is on time
	 */
	uint64_t due_ns;
	/*
	 * A tick that comes now was delayed, because we had its signal blocked.
	 */
	bool waited;
	/* CPU time of the thread when its slot was made, ns */
	uint64_t cpu_start;
	unsigned fine;		/* enum format_fine */
	int fine_errno;		/* errno of a fine clock that was refused */
	/*
	 * Descriptor number + 1 of the thread's perf event, which si_fd of its
	 * signals names, and that of the event before.
	 */
	int fine_fd;
	int fine_last;
	struct perf_ring ring;	/* ring of the fine clock */
	/* ring of the kernel=detail event, read at coarse ticks */
	struct perf_ring kernel;
	int kernel_errno;	/* errno of that event if it was refused */
	/* the fine clock is in its first period since it was switched on */
	bool first_period;
	uint64_t period;	/* present period of the fine clock, ns */
	uint64_t random;	/* state of the generator that draws periods */
	/*
	 * deviation of the last period, thousandths; the next one has its
	 * negative
	 */
	int64_t skew;
	uint64_t fine_ns;	/* CPU time counted by the fine clock, ns */
	uint64_t rearm_ns;	/* fine_ns when the clock was last armed */

	/*
	 * Written by the thread's own tick handler or by the helper of
	 * clock=wall, whichever holds `busy`.
	 */
	/* 1 while a thread writes these fields; taken by exchange */
	_Atomic unsigned busy;
	/* time counted by coarse ticks since the periodic checks, ns */
	uint64_t chores_ns;
	/* CPU time of the thread at its last coarse tick, ns */
	uint64_t cpu_ns;
	uint64_t coarse_cpu;	/* cpu_ns and fine_ns at the last coarse tick */
	uint64_t coarse_fine;
	/* CPU time of the process at the last coarse tick, ns */
	uint64_t coarse_process;
	/* cpu_ns - fine_ns when the fine clock was switched on */
	uint64_t fine_base;
	unsigned fine_ticks;	/* number of ticks of the fine clock */
	/* ns that the fine clock has counted too much */
	uint64_t debt;
	/* context switches of the thread up to its last coarse tick */
	uint64_t switches;
	/* enum perf_rate: how far the rate of the fine clock is lowered */
	unsigned pace;
	/* number of coarse ticks in a row at which a lower pace was allowed */
	unsigned calm;
	/* mean number of switches in a coarse tick, times 256 */
	uint64_t mean_switches;
	/* voluntary switches of the thread up to its last coarse tick */
	uint64_t sleeps;
	uint64_t slept_cpu;	/* cpu_ns when `sleeps` last grew */
	bool slept;		/* `sleeps` grew at the last coarse tick */
	/* cpu_ns when the fine clock first went on; 0: not yet */
	uint64_t fine_from;
	/* fine_ns at the start of the budget that is being spent */
	uint64_t fine_spent;
	/* cpu_ns when the coarse clock began to be the only one */
	uint64_t alone_from;
	/* CPU time that the coarse clock has counted since then, ns */
	uint64_t alone_ns;
	/*
	 * part of alone_ns that was counted ahead of the CPU time; the fine
	 * clock skips it, ns
	 */
	uint64_t ahead;
	/*
	 * part of alone_ns kept for the unfinished period at the end of the
	 * fine clock, ns
	 */
	uint64_t credit;
	/* kernel time counted by the coarse clock beside the fine one, ns */
	uint64_t kernel_ns;
	/* CPU time without a sample, which the next samples carry, ns */
	uint64_t backlog;
	uintptr_t last_pc;	/* place of the last sample */
	/* generation of the store that the indexes below belong to */
	unsigned generation;
	uint32_t thread;	/* index of the thread's record; 0: none */
	uint32_t root;		/* index of the root node of its call tree */
	/* place of one of the ticks that are kept while the file is made */
	uint64_t held_pc;
	uint64_t held_ns;	/* time that these ticks stand for, ns */
	uint64_t held_ticks;	/* number of these ticks */
	/* place where the tick under way found the thread */
	uintptr_t now;
	/* the thread's registers there, or NULL */
	const ucontext_t *context;
	/* where a walk under way continues after a fault, or NULL */
	void **back;
	/* node of the tick's callers; 0: not looked for yet */
	uint32_t tick_path_node;
	/* remembered call path, kept when the slot is freed; NULL: none yet */
	struct tick_path *path;
	/* log=yes: index of the thread's present block; 0: none yet */
	uint32_t moments;
	uint32_t moment_room;	/* entries that this block has room for */
	uint32_t moment_count;	/* entries that are in it */
	uint64_t moment_mono;	/* CLOCK_MONOTONIC of the last entry, ns */
	/* clock=wall: the account of the time that the thread slept. */
	/* mon->wall_epoch to which this account belongs */
	unsigned wall_epoch;
	/* node of the place where it slept then; 0: not known */
	uint32_t wall_node;
	/* CLOCK_MONOTONIC, ns, up to which all time is accounted for */
	uint64_t wall_mono;
	uint64_t wall_cpu;	/* CPU time of the thread at wall_mono, ns */
	/* time that it had waited for a processor at wall_mono, ns */
	uint64_t wall_delay;
};

/* Offset of thread_slot.watched, for the stubs in preload/sleep_*.S. */
#define THREAD_SLOT_WATCHED	8
_Static_assert(offsetof(struct thread_slot, watched) == THREAD_SLOT_WATCHED,
    "stubs read it");

/* Slots in a chunk, and the most chunks of a process. */
#define THREAD_SLOT_CHUNK	64
#define THREAD_SLOT_CHUNKS	1024	/* 65,536 threads at once */

/* The life of the store. */
enum store_state {
	STORE_NONE = 0,		/* there is no file (yet, or any more) */
	STORE_BUSY,		/* one thread is making the file */
	STORE_READY,		/* the file is mapped and takes records */
	STORE_CLOSED,		/* sealed, or given up for good */
};

/* The mapped profile of the process. */
struct store {
	_Atomic unsigned state;	/* enum store_state */
	/* number of files that this process has made */
	_Atomic unsigned generation;
	unsigned char *base;	/* address of the mapping */
	uint64_t cap;		/* bytes mapped */
	uint64_t device, inode;	/* identity of the file */
	unsigned attempts;	/* failed attempts to make the file */
	int error;		/* errno of the last failed attempt */
	/* -errno of the last request for space that was refused */
	_Atomic int refused;
	/*
	 * The system has refused space, or a file, since the last tick; no
	 * thread asks again before the next tick.
	 */
	_Atomic bool barren;
	/* CLOCK_MONOTONIC, ns, before which no new attempt is made */
	uint64_t retry_mono;
	/* an exec removed the file because it was empty */
	bool removed;
	/*
	 * The directory is on a network, so the file is elsewhere until the
	 * seal.
	 */
	bool local;
	char *path;		/* path of the file while the process runs */
	char *final;		/* if local: path of the file after the seal */
};

/*
 * Lookup tables of the call tree, each larger than the one before; the newest
 * is asked first.  They can be rebuilt: the tree itself is in the file.
 */
#define CCT_TABLES	12
struct cct_table {
	/* number of slots - 1; slots are a power of two */
	uint32_t mask;
	_Atomic uint32_t filled;	/* slots in use */
	_Atomic uint32_t slot[];	/* indexes of nodes by hash; 0: free */
};

/* One executable mapping. */
struct module_range {
	uint64_t start, end;	/* its addresses */
	uint64_t bias;		/* load bias of its object */
	/* its file, and the offset in that file at which it begins */
	uint64_t device, inode, offset;
	uint64_t head;		/* address of the object's ELF header, or 0 */
	struct cfi_tables tables;	/* unwind tables of the object */
	/*
	 * index of the object's record; 0: anonymous, addresses stay absolute
	 */
	uint32_t record;
	/* the file had no room for the object's record */
	bool unrecorded;
	bool readable;		/* its code may be read */
	bool watched;		/* module_filter.h selects it */
};

#define MODULE_MAX	8192
/* most objects that are read of the loader's list */
#define LINK_MAP_MOST	2048
/* All mappings of the process, by ascending address. */
struct module_table {
	_Atomic uint32_t sequence;	/* odd while being written */
	uint32_t count;		/* ranges in use */
	struct module_range range[MODULE_MAX];
};

/*
 * The signals that the library uses, as the program sees them.  A fork does not
 * wipe this: the child goes on with the state of its parent.
 */
struct virtual_signals {
	_Atomic int signal;	/* T, the present signal of the tick */
	/* the signal that T moves to or has moved from */
	_Atomic int other;
	/* a thread makes the move, which happens only once */
	_Atomic bool moving;
	/* T has moved away from the signal that was asked for */
	bool moved;
	bool installed;		/* our action for T is in force */
	bool bus_installed;	/* our action for SIGBUS is in force */
	bool segv_installed;	/* our action for SIGSEGV is in force */
	/*
	 * signal that T moved away from, if our action still stands before the
	 * program's for it; 0: none
	 */
	int fronted;
	struct sys_sigaction front;	/* the program's action for `fronted` */
	struct sys_sigaction tick;	/* the program's action for T */
	struct sys_sigaction bus;	/* the program's action for SIGBUS */
	struct sys_sigaction segv;	/* the program's action for SIGSEGV */
	/* the last handler for SIGSEGV that was set through libc */
	_Atomic(void *) segv_handler;
	struct sys_sigaction real_tick;	/* our action for T, as installed */
	/*
	 * Signals whose sa_mask, as the program set it, holds T (masked) or
	 * SIGNAL_MASK_SHADOW (shadowed).
	 */
	_Atomic uint64_t masked;
	_Atomic uint64_t shadowed;
	/* threads inside an exec, between the two calls of exec_signals.c */
	_Atomic int exposers;
	/* The program handles signals on alternate stacks. */
	_Atomic bool on_stack;
	/*
	 * The program has set alternate stacks of its own, which may be too
	 * small for more than that, so no kick may come.
	 */
	_Atomic bool own_stacks;
	/*
	 * A handler of the program can run while the tick's signal is really
	 * blocked.
	 */
	_Atomic bool may_hold;
	/* mon->frozen, which a fork child inherits here */
	_Atomic bool boxed;
	/*
	 * threads in vfork(2): hooks also run in children that share the memory
	 */
	_Atomic int vforks;
	/* another process shares our descriptor table */
	_Atomic bool files_shared;
};

/* The life of a shard. */
enum arc_shard_state {
	ARC_SHARD_USED = 1,	/* a thread counts in it */
	ARC_SHARD_LEFT,		/* its thread is about to end */
	ARC_SHARD_REPLACED,		/* a larger one is in its place */
};

/*
 * The arcs of one thread: this head, then the entries of arc_shard.c.  Only the
 * shard's thread adds to it.  The stubs know `mask`.
 */
struct arc_shard {
	/* (entries - 1) * size of an entry; 0: wiped by a fork */
	uint64_t mask;
	uint32_t filled;	/* entries in use, removed ones included */
	/* generation of the store that the arcs are in */
	unsigned generation;
	/* index of its present block in the file; 0: none */
	uint32_t arcs;
	uint32_t used;		/* arcs of this block that are taken */
	int tid;		/* its thread */
	_Atomic unsigned state;	/* enum arc_shard_state */
	struct arc_shard *next;	/* next of mon->shards */
	_Atomic bool busy;	/* a thread makes a new arc */
	/* calls while nothing is to be counted, which are dropped */
	uint64_t unwanted;
	uint8_t pad[8];
};

/* Number of the last helper threads whose ids are kept. */
#define PRIVATE_FDS_HELPERS	32

struct live_block_table;
struct alloc_thread;
struct tick_path;
struct unwind_cache_entry;
struct thread_slot_index;
struct wall_sampler;

/* State of heap_timeline.c, beside the format_heap_timeline in the file. */
struct heap_timeline {
	_Atomic bool busy;	/* a thread adds a point */
	/* generation of the store that `record` is in */
	unsigned generation;
	uint32_t record;	/* index of the format_heap_timeline; 0: none */
	unsigned count;		/* points in order[] */
	unsigned spare;		/* points in free[], which can be used again */
	/* CLOCK_MONOTONIC, ns, when the next point is due */
	_Atomic uint64_t next_mono;
	/* time from one point to the next, ns */
	_Atomic uint64_t interval_ns;
	/* a peak above this many bytes makes a point at once */
	_Atomic uint64_t high;
	/*
	 * CLOCK_MONOTONIC, ns, from which the resident size may be read again
	 */
	uint64_t resident_mono;
	/* numbers of the points in use, by time */
	uint16_t order[FORMAT_HEAP_POINTS];
	/* numbers of free points, the earliest last */
	uint16_t free[FORMAT_HEAP_POINTS];
};

/*
 * All state of one profiled process that its fork child must not inherit: the
 * kernel or the start zeroes it there.
 */
struct mon {
	/*
	 * Written once, by core/runtime, except where a comment says otherwise.
	 */
	/*
	 * this process; 0: nothing has started, or a fork has wiped the state
	 */
	int pid;
	int parent;		/* getppid at the start */
	bool forked;		/* a fork child of lineage.image's process */
	_Atomic bool running;	/* ticks and calls are counted */
	/* no clock may run: the library is only linked, without a histogram */
	_Atomic bool clockless;
	/* the profile is sealed, or a thread is about to seal it */
	_Atomic bool ended;
	/* An ancestor's file counts this process as one without a file. */
	_Atomic bool told_none;
	/* The file was made before anything was counted. */
	bool made_ahead;
	_Atomic bool reclaiming;	/* try-lock of thread_slot_reclaim() */
	_Atomic int timers;	/* timers of ours that exist in the kernel */
	/* A seccomp filter is in force: we make no system call any more. */
	_Atomic bool frozen;
	/* the program's SIGSEGV action has been read since the last checks */
	_Atomic bool segv_asked;
	/* the program runs an interval timer of CPU time */
	_Atomic bool itimers;
	_Atomic bool process_tier;	/* the process clock runs */
	/*
	 * try-lock of the thread that starts, changes or stops the process
	 * clock
	 */
	_Atomic bool arming;
	_Atomic int small_stacks;	/* number of slots with stack_small */
	/* 1: a late signal of the stopped process clock may be pending */
	_Atomic int stragglers;
	/* CPU time of the process that process clock ticks have counted, ns */
	_Atomic uint64_t process_seen;
	/* threads that are counting in a histogram */
	_Atomic unsigned in_histograms;
	_Atomic unsigned epoch;	/* grows by one when all intervals change */
	_Atomic uint32_t asked;	/* number of the last order that was taken */
	_Atomic bool taking;	/* try-lock of the thread that takes an order */
	/*
	 * start time of the process, in clock ticks of /proc/PID/stat; 0: not
	 * known
	 */
	uint64_t start_ticks;
	uint64_t cpu_birth_ns;	/* CPU time of the process at the start, ns */
	uint64_t children_birth_ns;	/* children_cpu() at the start, ns */
	/* number of processes that it has made */
	_Atomic unsigned children;

	struct store store;

	/* lookup tables, the newest last */
	_Atomic(struct cct_table *) tree[CCT_TABLES];
	_Atomic unsigned trees;	/* tables in tree[] */

	_Atomic(struct module_table *) modules;	/* the table that is in force */
	/* try-lock of the thread that reads the memory map */
	_Atomic unsigned module_busy;
	/* the map must be read before the next look-up */
	_Atomic bool module_stale;
	/* Generated code was unmapped since the map was read. */
	_Atomic bool module_gone;
	/*
	 * An object was unmapped: the next reading of the map compares ELF
	 * headers, too.
	 */
	_Atomic bool module_reread;
	_Atomic bool module_rereading;	/* a thread compares ELF headers now */
	_Atomic unsigned unloading;	/* threads in dlclose(3) */
	/* grows by one when text was unmapped */
	_Atomic unsigned text_generation;
	/* cache of unwind rules */
	_Atomic(struct unwind_cache_entry *) rows;
	/* whether the kernel tells if a page is mapped (stack_read.c) */
	_Atomic unsigned asking;
	/* CLOCK_MONOTONIC when the map was last read, ns */
	uint64_t module_mono;
	uint64_t module_wait;	/* shortest time to the next reading, ns */
	/* records of objects that are unmapped */
	unsigned modules_unloaded;
	/* the table was made from the loader's list, not from the map */
	bool modules_listed;

	/* chunks in use, first_chunk included */
	_Atomic unsigned chunks;
	/* slots with a lower number were taken at least once */
	_Atomic unsigned fresh;
	/*
	 * Stack of free slots that were taken before: changes of it, and the
	 * number + 1 of its first slot.
	 */
	_Atomic uint64_t free;
	/*
	 * Number of slots in use at which slots of dead threads are looked for;
	 * 0: as many as the first chunk has.
	 */
	_Atomic unsigned reclaim_at;
	_Atomic unsigned in_use;	/* slots that are not free */
	/* Finds slots past the first chunk; NULL: not made yet. */
	_Atomic(struct thread_slot_index *) index;
	/* some slot could not be entered there */
	_Atomic bool index_full;
	_Atomic unsigned live;	/* slots of live threads */
	_Atomic unsigned threads;	/* thread records in the file */
	/* index of the record that all threads past THREAD_MOST share */
	_Atomic uint32_t pool;
	/* CLOCK_MONOTONIC of the last scan for unknown threads, ns */
	_Atomic uint64_t swept_mono;

	_Atomic int fine_errno;	/* errno of the first refusal of a fine clock */
	/* refusals in a row; after some of them none is asked for */
	_Atomic unsigned fine_refused;
	/* the data page of a ring was refused, so none is asked for */
	_Atomic bool no_pages;

	/* list of all lanes */
	_Atomic(struct alloc_thread *) lanes;
	/* pages of live-byte counters */
	_Atomic(struct live_bytes_page *) stakes;
	/* table of live blocks */
	_Atomic(struct live_block_table *) blocks;
	/* state of the counting of mappings */
	_Atomic(struct map_count_state *) mapped;
	/* index of the format_memory of blocks; 0: none yet */
	_Atomic uint32_t memory;
	/* index of the format_memory of mappings; 0: none yet */
	_Atomic uint32_t maps;
	/* robust lock of the thread that looks for a new peak */
	_Atomic uint32_t peaking;
	/* the next look makes what is live then the peak */
	_Atomic bool peaks_anew;
	uint32_t forgot;	/* the header's ask_forget, as last obeyed */
	/* number of the order that last had the blocks forgotten */
	_Atomic uint32_t forgot_by;
	/* CLOCK_MONOTONIC when that order was obeyed, ns */
	uint64_t forgot_mono;
	/* Bytes of forgotten blocks that are still in stakes. */
	_Atomic int64_t forgotten;
	_Atomic uint64_t forgot_era;	/* the first era after that order */
	/*
	 * The table before the present one, which threads may still be using.
	 */
	struct live_block_table *blocks_before;

	/* list of all shards */
	_Atomic(struct arc_shard *) shards;
	/* times that shards were searched because text was unmapped */
	_Atomic unsigned unloads;

	/* helper threads that private_fds.c has made so far */
	_Atomic unsigned asides;
	/* ids of the last ones */
	_Atomic int aside_tid[PRIVATE_FDS_HELPERS];
	_Atomic int wall_tid;	/* id of the helper of clock=wall; 0: none */
	/* state of the helper, below its stack */
	_Atomic(struct wall_sampler *) wall;
	/* times that counting of sleep was resumed */
	_Atomic unsigned wall_epoch;
	/*
	 * Where the helper's walk under way continues after a fault, on its
	 * stack.
	 */
	void **wall_back;
	/*
	 * 1 + exit status of the last thread that ended after the first one; 0:
	 * none.
	 */
	_Atomic int wall_status;

	/* losses counted while there is no file */
	_Atomic uint64_t early[LOSS_MAX];

	/* A start touches only what lies above, in one page or two. */
	struct thread_slot first_chunk[THREAD_SLOT_CHUNK];
	_Atomic(struct thread_slot *) more_chunks[THREAD_SLOT_CHUNKS - 1];

	struct heap_timeline growing;	/* state of heap_timeline.c */
	char store_path[PATH_MAX], store_final[PATH_MAX];

	/*
	 * Buffers with one user each: birth_scratch of the thread that makes
	 * the store, the others of the thread that reads the map.
	 */
	char birth_scratch[4 * PATH_MAX];
	char module_scratch[4 * PATH_MAX];
	char module_name[4 * PATH_MAX];
	/*
	 * ELF headers and the notes after them, which one call reads as a rule
	 */
	unsigned char module_bytes[1024];
	/* the loader's list, as last read */
	struct link_map_list_object loaded[LINK_MAP_MOST];
	unsigned loaded_count;
	/* the table in force and the next one */
	struct module_table table[2];
};

/*
 * State that a process hands on to its fork children; a fork does not wipe it.
 */
struct lineage {
	int pid;		/* first process of the run; 0: not found yet */
	uint64_t start;		/* start time of that process, in clock ticks */
	int image;		/* process in which this image began */
	/*
	 * Header of an ancestor's file, still mapped; see ancestor.h.  If it is
	 * the header of this process's own file, it does not count.
	 */
	struct format_header *ancestor;
	/* A call (see precreate.h) may have put the directory out of reach. */
	bool behind;
	/* copy of the memory map, made by proc_maps_save() */
	char *maps;
	size_t maps_bytes;	/* size of this copy */
	/* LINEAGE_*: why nothing is to be counted */
	_Atomic unsigned paused;
	/*
	 * Interval of CPU time, ns, from hz= or from a later order; 0:
	 * automatic.
	 */
	_Atomic uint64_t interval;
	/* parity: which of the two lists of module_filter.h holds */
	_Atomic unsigned watch_turn;
	char watch[2][FORMAT_WATCH];	/* lists of modules to be told apart */
};

#define LINEAGE_PAUSED	1u	/* the program wants it: moncontrol(0) */
#define LINEAGE_STOPPED	2u	/* a tool, or start=off, wants it */
#define LINEAGE_NO_TIME	4u	/* time is not one of the modes */
/* allocations are not one of the modes; only those are not counted */
#define LINEAGE_NO_HEAP	8u
/* The reasons not to count time, and not to count allocations. */
#define LINEAGE_UNTIMED	(LINEAGE_STOPPED | LINEAGE_NO_TIME)
#define LINEAGE_UNHEAPED \
	(LINEAGE_PAUSED | LINEAGE_STOPPED | LINEAGE_NO_HEAP)

/*
 * The state of this process; mon is NULL if nothing is profiled.
 * lineage_directory is where the run started, if this process needs it, else
 * "".  The last two are the calling thread's slot and shard, or NULL.
 */
extern struct mon *mon;
extern struct lineage lineage;
extern char lineage_directory[PATH_MAX];
extern struct virtual_signals virtual_signals;
extern __thread struct thread_slot *thread_slot_self
    __attribute__((tls_model("initial-exec")));
extern __thread struct arc_shard *arc_shard_self
    __attribute__((tls_model("initial-exec")));

/* Returns whether any of the LINEAGE_* reasons in `who` holds. */
static inline bool
lineage_is_paused(unsigned who)
{
	return (atomic_load_explicit(&lineage.paused, memory_order_relaxed) &
	    who) != 0;
}

/* Sets or clears the LINEAGE_* reasons in `who`. */
static inline void
lineage_set_paused(unsigned who, bool paused)
{
	if (paused)
		atomic_fetch_or(&lineage.paused, who);
	else
		atomic_fetch_and(&lineage.paused, ~who);
}

/* Returns chunk i of the slots; 0 is the first. */
static inline struct thread_slot *
thread_slot_chunk(unsigned i)
{
	return i == 0 ? mon->first_chunk :
	    atomic_load_explicit(&mon->more_chunks[i - 1],
	    memory_order_relaxed);
}

#endif
