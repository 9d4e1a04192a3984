/*
 * Context: S.  What of the heap is each lane's, side by side: to add up all, at
 * a peak, is to read a few pages, of 10,000 threads too.
 */
#ifndef LIVE_BYTES_H
#define LIVE_BYTES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* Its lane's thread writes it, but for the limit; peak.h. */
struct live_bytes_counter {
	_Atomic int64_t live;	/* bytes given out by it, less those it freed */
	_Atomic int64_t limit;	/* up to here there is no new peak */
	_Atomic unsigned generation;	/* of the store that they are in */
	_Atomic int64_t seen;	/* of `live`, by who looks for a new peak */
} __attribute__((aligned(64)));

#define LIVE_BYTES_NO_STORE	UINT_MAX	/* no store's generation */

/* One more, for good, that is in no store yet; NULL: no memory. */
struct live_bytes_counter *live_bytes_create(void);

/* Nothing yet, in that store, or in none. */
void live_bytes_reset(struct live_bytes_counter *s, unsigned generation);

/* Of all in that store what is live. */
int64_t live_bytes_sum(unsigned generation);

/*
 * The same, and what each has is kept, of so many, by who looks for a new peak:
 * one at a time.
 */
int64_t live_bytes_snapshot(unsigned generation, unsigned *count);

/*
 * What is missing to the peak: half of it for who asks, the rest for all others
 * of so many.  On top of what was seen: what one has given out since is of its
 * part.
 */
void live_bytes_set_limits(struct live_bytes_counter *own, int64_t spare,
    unsigned count);

/*
 * Has one given out more than its new part, by its old?  It might not come
 * back.
 */
bool live_bytes_exceeds_limit(unsigned generation);

/* Whoever gives out a block next is past its limit. */
void live_bytes_expire_limits(void);

#endif
