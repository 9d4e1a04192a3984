/*
 * Context: S.  Finds the moment when most of the heap was live, and what was
 * live of each path then.  alloc_count.c calls it, in the thread that counts a
 * call, whose alloc_thread is current; live_control.c restarts the peak for an
 * order; the heap's timeline reads the sum; doc/design/heap.md.
 *
 * Each new peak has a number, the era.  A path notes what was live of it when
 * it changes for the first time in an era: until then it is as it was at the
 * peak.
 */
#ifndef PEAK_H
#define PEAK_H

#include "heap/alloc_thread.h"

/*
 * Looks for a new peak, because the alloc_thread has given out more than its
 * limit.  Adds up all alloc_threads, and sets new limits.  Returns whether
 * there is a new peak.  Takes mon->peaking, and may wait ten seconds for it.
 * peak_add() calls it.
 */
bool peak_update(struct alloc_thread *own);

/*
 * Restarts the peak, as the most that is live from now on, after an order that
 * made the process forget its blocks.  Any thread and any signal handler may
 * call it.
 */
void peak_restart(void);

/*
 * Notes in the path what is live of it, as the state at the peak of that era.
 * peak_before_change() calls it.  before: the era of the path's last note.
 */
void peak_note_era(struct format_heap *h, uint64_t era, uint64_t before);

/*
 * Begins the path's own maximum again with what is live of the path, if live
 * blocks have been forgotten since the path last changed.  before: the era of
 * that change.
 */
void peak_reset_high(struct format_heap *h, uint64_t before);

/*
 * Makes the path's note of the current era, if it has none.  The caller changes
 * the path's counters after this call.
 */
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
 * Adds bytes that are given out to the alloc_thread's live-byte counter, and
 * looks for a new peak if that exceeds its limit.  The caller changes the
 * path's counters after this call: if there is a new peak, what the path has
 * after the change is part of it.
 */
static inline void
peak_add(struct alloc_thread *l, struct format_heap *h, uint64_t bytes)
{
	const int64_t live =
	    (int64_t)bytes + atomic_load_explicit(&l->live_counter->live,
	    memory_order_relaxed);

	atomic_store_explicit(&l->live_counter->live, live,
	    memory_order_relaxed);
	if (live <= atomic_load_explicit(&l->live_counter->limit,
	    memory_order_relaxed) || !peak_update(l))
		peak_before_change(l, h);
	else
		peak_reset_high(h, h->era);
}

/*
 * Takes bytes that the alloc_thread's thread frees off the alloc_thread's
 * live-byte counter, before they are counted in the path, which may be another
 * alloc_thread's.  Until peak_subtract_done() the bytes are in l->ending: if
 * the call is left in between, peak_recover() puts them back, as if the call
 * had not been.
 */
static inline void
peak_subtract(struct alloc_thread *l, struct format_heap *h, uint64_t bytes)
{
	peak_before_change(l, h);
	l->ending = bytes;
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&l->live_counter->live,
	    atomic_load_explicit(&l->live_counter->live,
	    memory_order_relaxed) - (int64_t)bytes, memory_order_relaxed);
}

/*
 * Ends what peak_subtract() has begun: the path's counters have the bytes now.
 */
static inline void
peak_subtract_done(struct alloc_thread *l)
{
	atomic_signal_fence(memory_order_seq_cst);
	l->ending = 0;
}

/*
 * Returns the bytes that are live now in that generation of the store, less
 * what was forgotten; 0 if that is negative.  Any thread may call it.
 */
uint64_t peak_live_sum(unsigned generation);

/*
 * Undoes what the alloc_thread's thread has begun here and has left for good:
 * releases its lock, and puts l->ending back.  alloc_thread_recover() calls it.
 */
void peak_recover(struct alloc_thread *l);

#endif
