/*
 * Context: S.  The moment when most of the heap was live, and what was live
 * then of each path; doc/internals.md, section 22.
 */
#ifndef PEAK_H
#define PEAK_H

#include "heap/alloc_thread.h"

/* The lane is past its limit.  Is this a new peak? */
bool peak_update(struct alloc_thread *own);

/* From here on it is the most since then.  Any thread, signal handlers. */
void peak_restart(void);

/* The path has no note of this era yet: it gets one. */
void peak_note_era(struct format_heap *h, uint64_t era, uint64_t before);

/*
 * Begins the path's own high-water anew with what is live of it, if live blocks
 * have been forgotten since the path last changed.  before: the era of that
 * change.
 */
void peak_reset_high(struct format_heap *h, uint64_t before);

static inline void
peak_before_change(const struct alloc_thread *l, struct format_heap *h)
{
	const uint64_t era = __atomic_load_n(&l->memory->era,
	    __ATOMIC_ACQUIRE);
	const uint64_t before = __atomic_load_n(&h->era, __ATOMIC_ACQUIRE);

	if (before != era)
		peak_note_era(h, era, before);
}

/*
 * Bytes of a path are given out.  Before it is counted there: with a new peak
 * what the path has then is in it.
 */
static inline void
peak_add(struct alloc_thread *l, struct format_heap *h, uint64_t bytes)
{
	const int64_t live =
	    (int64_t)bytes + atomic_load_explicit(&l->stake->live,
	    memory_order_relaxed);

	atomic_store_explicit(&l->stake->live, live, memory_order_relaxed);
	if (live <= atomic_load_explicit(&l->stake->limit,
	    memory_order_relaxed) || !peak_update(l))
		peak_before_change(l, h);
	else
		peak_reset_high(h, h->era);
}

/*
 * ... or freed, by the lane's thread, of whatever lane's path, which does not
 * have it yet: a call that is left in between is as if it had not been.
 */
static inline void
peak_subtract(struct alloc_thread *l, struct format_heap *h, uint64_t bytes)
{
	peak_before_change(l, h);
	l->ending = bytes;
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&l->stake->live,
	    atomic_load_explicit(&l->stake->live,
	    memory_order_relaxed) - (int64_t)bytes, memory_order_relaxed);
}

/* ... and now it has it. */
static inline void
peak_subtract_done(struct alloc_thread *l)
{
	atomic_signal_fence(memory_order_seq_cst);
	l->ending = 0;
}

/* What is live now, of that generation of the store. */
uint64_t peak_live_sum(unsigned generation);

/* The lane's thread was at it, and has left it for good. */
void peak_recover(struct alloc_thread *l);

#endif
