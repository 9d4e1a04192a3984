/*
 * Context: S.  Allocations counted, by the thread that makes them;
 * doc/internals.md, section 22.
 */
#ifndef ALLOC_COUNT_H
#define ALLOC_COUNT_H

#include "count/live_control.h"
#include "heap/alloc_thread.h"
#include "heap_live/heap_timeline.h"
#include "heap_live/live_blocks.h"

/*
 * Finds the lane of a call that is the thread's first, its first in a file,
 * nested in another call, or its first since a tool's order.
 */
struct alloc_thread *alloc_count_enter_slow(const struct alloc_caller *from,
    bool gives);

/* False: a handler has just forked, in whose child the lane is wiped. */
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
 * Begins a call of an allocation function, before the real function runs.
 * gives: the call gives out a block, and does not only free one.  Returns NULL
 * if the call is not counted; if it should have been, the loss is counted.
 */
static inline struct alloc_thread *
alloc_count_enter(const struct alloc_caller *from, bool gives)
{
	struct alloc_thread *l = alloc_thread_self;

	if (l == NULL || l->inside != 0 || !alloc_thread_is_current(l) ||
	    !atomic_load_explicit(&mon->running, memory_order_relaxed) ||
	    !alloc_count_begin(l, from))
		return alloc_count_enter_slow(from, gives);
	/* Begun: a child that a handler forks here has zeros at l->base. */
	if (live_control_is_newer(l->base, l->asked)) {
		l->inside = 0;
		return alloc_count_enter_slow(from, gives);
	}
	return l;
}

/*
 * Returns the loss that an allocation counts as when store_take() has refused
 * room for it.
 */
enum loss alloc_count_store_loss(void);

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
 * The same of a call that maps: also within an allocation function's, which
 * stands still meanwhile.  That has its lane to itself but for what is shared
 * anyway.
 */
struct alloc_thread *alloc_count_enter_map(const struct alloc_caller *from,
    bool gives);

static inline void
alloc_count_leave_map(struct alloc_thread *l, const struct alloc_caller *from)
{
	if (l == NULL || l->inside != from->sp)
		return;
	l->mapping = 0;
	alloc_count_leave(l);
}

/* The record of mappings by that path; 0: no room, the loss is counted. */
uint32_t alloc_count_map_path(struct alloc_thread *l,
    const struct alloc_caller *from);

/* A block was given out; resized: in place of another. */
void alloc_count_block(struct alloc_thread *l, uintptr_t at, uint64_t bytes,
    const struct alloc_caller *from, bool resized);

/* It is about to be freed. */
void alloc_count_free(struct alloc_thread *l, uintptr_t at);

/*
 * The same in two steps, where it is not known yet: taken from the table, and
 * its end counted, or put back.  False: nobody knows it.
 */
bool alloc_count_remove(struct alloc_thread *l, uintptr_t at,
    struct live_block *b);
void alloc_count_finish_free(struct alloc_thread *l, uintptr_t at,
    const struct live_block *b);
void alloc_count_restore(struct alloc_thread *l, uintptr_t at,
    const struct live_block *b);

#endif
