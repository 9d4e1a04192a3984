/*
 * Context: S.  Allocations counted, by the thread that makes them;
 * doc/internals.md, section 22.
 */
#ifndef HEAPCOUNT_H
#define HEAPCOUNT_H

#include "blocks.h"
#include "control.h"
#include "growth.h"
#include "lane.h"

/*
 * Finds the lane of a call that is the thread's first, its first in a file,
 * nested in another call, or its first since a tool's order.
 */
struct lane *heapcount_enter_anew(const struct heap_from *from, bool gives);

/* False: a handler has just forked, in whose child the lane is wiped. */
static inline bool
heapcount_begin(struct lane *l, const struct heap_from *from)
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
static inline struct lane *
heapcount_enter(const struct heap_from *from, bool gives)
{
	struct lane *l = thread_lane;

	if (l == NULL || l->inside != 0 || !lane_is_current(l) ||
	    !atomic_load_explicit(&mon->running, memory_order_relaxed) ||
	    !heapcount_begin(l, from))
		return heapcount_enter_anew(from, gives);
	/* Begun: a child that a handler forks here has zeros at l->base. */
	if (control_is_asked(l->base, l->asked)) {
		l->inside = 0;
		return heapcount_enter_anew(from, gives);
	}
	return l;
}

/*
 * Returns the loss that an allocation counts as when store_take() has refused
 * room for it.
 */
enum loss heapcount_refusal(void);

static inline void
heapcount_leave(struct lane *l)
{
	if (l == NULL)
		return;
	if (--l->quiet == 0)
		growth_look(l);
	else
		l->inside = 0;
}

/*
 * The same of a call that maps: also within an allocation function's, which
 * stands still meanwhile.  That has its lane to itself but for what is shared
 * anyway.
 */
struct lane *heapcount_enter_map(const struct heap_from *from, bool gives);

static inline void
heapcount_leave_map(struct lane *l, const struct heap_from *from)
{
	if (l == NULL || l->inside != from->sp)
		return;
	l->mapping = 0;
	heapcount_leave(l);
}

/* The record of mappings by that path; 0: no room, the loss is counted. */
uint32_t heapcount_map_path(struct lane *l, const struct heap_from *from);

/* A block was given out; resized: in place of another. */
void heapcount_block(struct lane *l, uintptr_t at, uint64_t bytes,
    const struct heap_from *from, bool resized);

/* It is about to be freed. */
void heapcount_end(struct lane *l, uintptr_t at);

/*
 * The same in two steps, where it is not known yet: taken from the table, and
 * its end counted, or put back.  False: nobody knows it.
 */
bool heapcount_take(struct lane *l, uintptr_t at, struct block *b);
void heapcount_ended(struct lane *l, uintptr_t at, const struct block *b);
void heapcount_put_back(struct lane *l, uintptr_t at, const struct block *b);

#endif
