/*
 * Context: S.  Live-byte counters, one for each alloc_thread, side by side in
 * pages: to add up all of them, at a peak, reads few pages even with 10,000
 * threads.  alloc_thread.c makes them; peak.c reads and limits all, for counted
 * allocations and the heap's timeline; live_control.c reads the sum for an
 * order.  No function waits or blocks signals.
 */
#ifndef LIVE_BYTES_H
#define LIVE_BYTES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The counter of an alloc_thread.  The alloc_thread's thread writes it; `limit`
 * and `seen` are also written by a thread that looks for a new peak, `limit` by
 * one that restarts the peak; see peak.h.
 */
struct live_bytes_counter {
	_Atomic int64_t live;	/* bytes given out less bytes freed */
	_Atomic int64_t limit;	/* up to here there is no new peak */
	_Atomic unsigned generation;	/* of the store that is counted in */
	_Atomic int64_t seen;	/* `live` at the last snapshot */
} __attribute__((aligned(64)));

#define LIVE_BYTES_NO_STORE	UINT_MAX	/* the generation of no store */

/*
 * Makes a counter, which is never freed and belongs to no store yet.  Returns
 * NULL if there is no memory.  Not in a frozen process.
 */
struct live_bytes_counter *live_bytes_create(void);

/*
 * Sets a counter to zero, and makes it one of that generation of the store, or
 * of LIVE_BYTES_NO_STORE.  The thread that owns it calls this.
 */
void live_bytes_reset(struct live_bytes_counter *s, unsigned generation);

/*
 * Returns the sum of live bytes over all counters of that generation, less what
 * an order made the process forget.  It can be negative, and is that of no
 * single moment while other threads count.
 */
int64_t live_bytes_sum(unsigned generation);

/*
 * Returns the sum as live_bytes_sum() does, and notes what each counter has in
 * its `seen`.  *count: number of counters.  One thread at a time: the holder of
 * mon->peaking.
 */
int64_t live_bytes_snapshot(unsigned generation, unsigned *count);

/*
 * Divides `spare`, the bytes that are missing to a new peak, over the `count`
 * counters of the last snapshot: half for the caller's own, the rest in equal
 * parts for the others.  A limit is on top of what was seen: what a thread has
 * given out since comes out of its part.  The caller holds mon->peaking.
 */
void live_bytes_set_limits(struct live_bytes_counter *own, int64_t spare,
    unsigned count);

/*
 * Returns whether a thread has, under its old limit, given out more than its
 * new limit allows.  It may never allocate again, so the caller must look.  The
 * caller holds mon->peaking.
 */
bool live_bytes_exceeds_limit(unsigned generation);

/*
 * Makes the next block that any thread gives out exceed that thread's limit.
 * Any thread and any signal handler may call it.
 */
void live_bytes_expire_limits(void);

#endif
