/*
 * Context: S.  Counts each call of an allocation function, in the alloc_thread
 * of the thread that makes it.  The hooks of allocations and mappings
 * (alloc_hooks.c, map_hooks.c) call alloc_count_enter() or
 * alloc_count_enter_map() before they count, then the functions that count
 * before or after the real function, and alloc_count_leave() or
 * alloc_count_leave_map() at the end; doc/design/heap.md.  They run in any
 * thread and any signal handler, also in a frozen process; a vfork child counts
 * in the alloc_thread of its parent's thread.
 */
#ifndef ALLOC_COUNT_H
#define ALLOC_COUNT_H

#include "count/live_control.h"
#include "heap/alloc_thread.h"
#include "heap_live/heap_timeline.h"
#include "heap_live/live_blocks.h"

/*
 * Finds the alloc_thread of a call that is the thread's first after its start
 * or after a fork, its first in a file, nested in another call, its first since
 * a tool's order, or its first since a handler left a call for good.
 * Parameters and result are those of alloc_count_enter(), which calls it.
 */
struct alloc_thread *alloc_count_enter_slow(const struct alloc_caller *from,
    bool gives);

/*
 * Marks the alloc_thread as being in the middle of a call.  Returns false in a
 * fork child that a signal handler has just made, because the alloc_thread is
 * wiped there.
 */
static inline bool
alloc_count_begin(struct alloc_thread *l, const struct alloc_caller *from)
{
	l->inside = from->sp;
	atomic_signal_fence(memory_order_seq_cst);
	if (l->base != NULL)
		return true;
	l->inside = 0;
	return false;
}

/*
 * Begins a call of an allocation function, before the real function runs (for
 * an operator new, after it).  gives: the call gives out a block, and does not
 * only free one.  Returns the calling thread's alloc_thread, which
 * alloc_count_leave() takes, or NULL if the call is not counted; if it should
 * have been, the loss is counted.
 */
static inline struct alloc_thread *
alloc_count_enter(const struct alloc_caller *from, bool gives)
{
	struct alloc_thread *l = alloc_thread_self;

	if (l == NULL || l->inside != 0 || !alloc_thread_is_current(l) ||
	    !atomic_load_explicit(&mon->running, memory_order_relaxed) ||
	    !alloc_count_begin(l, from))
		return alloc_count_enter_slow(from, gives);
	/*
	 * If a handler forks here, amid the call, its child has zeros at
	 * l->base.
	 */
	if (live_control_is_newer(l->base, l->asked)) {
		l->inside = 0;
		return alloc_count_enter_slow(from, gives);
	}
	return l;
}

/*
 * Returns the loss to count for an allocation for which store_take() has just
 * refused room.
 */
enum loss alloc_count_store_loss(void);

/*
 * Ends a call that alloc_count_enter() has begun, after the real function.  l:
 * the alloc_thread from there; NULL: does nothing.  Checks now and then whether
 * a point of the heap's timeline is due.
 */
static inline void
alloc_count_leave(struct alloc_thread *l)
{
	if (l == NULL)
		return;
	if (--l->quiet == 0)
		heap_timeline_check(l);
	else
		l->inside = 0;
}

/*
 * Begins a call that maps or unmaps memory, as alloc_count_enter() does for
 * allocations.  If an allocation function itself makes the call, returns the
 * alloc_thread of that allocation, which stands still meanwhile: the allocation
 * has its alloc_thread to itself, except for data that threads share anyway.
 */
struct alloc_thread *alloc_count_enter_map(const struct alloc_caller *from,
    bool gives);

/*
 * Ends a call that alloc_count_enter_map() has begun.  Does nothing if l is
 * NULL or if the call is part of an allocation under way.
 */
static inline void
alloc_count_leave_map(struct alloc_thread *l, const struct alloc_caller *from)
{
	if (l == NULL || l->inside != from->sp)
		return;
	l->mapping = 0;
	alloc_count_leave(l);
}

/*
 * Returns the index of the format_heap that counts mappings by the call path of
 * `from`, for map_hooks.c, after the real call.  l: from
 * alloc_count_enter_map(), not NULL.  Returns 0 if the file has no room, and
 * counts the loss; also 0, without a loss, if a fork child continues a call of
 * its parent.
 */
uint32_t alloc_count_map_path(struct alloc_thread *l,
    const struct alloc_caller *from);

/*
 * Counts a block of `bytes` bytes at `at`, which the real function has given
 * out, and enters it into the table of live blocks; does neither while
 * allocations are paused, or if chance has not chosen the block.  Here and
 * below, l is from alloc_count_enter(), not NULL.  resized: realloc() gave it
 * out in place of another block.
 */
void alloc_count_block(struct alloc_thread *l, uintptr_t at, uint64_t bytes,
    const struct alloc_caller *from, bool resized);

/*
 * Counts the end of the block at `at`, which is about to be freed, and takes it
 * out of the table of live blocks.  If the table does not have it, counts an
 * unknown free, unless allocations are paused or only chosen blocks are
 * counted.
 */
void alloc_count_free(struct alloc_thread *l, uintptr_t at);

/*
 * Counts the end of a block in two steps, for a call that may fail to free it.
 *
 * alloc_count_remove() takes the block at `at` out of the table of live blocks
 * and fills *b; it returns false, and counts an unknown free as
 * alloc_count_free() does, if the table does not have the block.  After the
 * real function, alloc_count_finish_free() counts the end of the block, or
 * alloc_count_restore() puts the block back into the table.
 */
bool alloc_count_remove(struct alloc_thread *l, uintptr_t at,
    struct live_block *b);
void alloc_count_finish_free(struct alloc_thread *l, uintptr_t at,
    const struct live_block *b);
void alloc_count_restore(struct alloc_thread *l, uintptr_t at,
    const struct live_block *b);

#endif
