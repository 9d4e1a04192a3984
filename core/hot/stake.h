/*
 * Context: S.  What of the heap is each lane's, side by side: to add up all, at
 * a peak, is to read a few pages, of 10,000 threads too.
 */
#ifndef STAKE_H
#define STAKE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* Its lane's thread writes it, but for the limit; peak.h. */
struct stake {
	_Atomic int64_t live;	/* bytes given out by it, less those it freed */
	_Atomic int64_t limit;	/* up to here there is no new peak */
	_Atomic unsigned generation;	/* of the store that they are in */
	_Atomic int64_t seen;	/* of `live`, by who looks for a new peak */
} __attribute__((aligned(64)));

#define STAKE_OF_NONE	UINT_MAX	/* no store's generation */

/* One more, for good, that is in no store yet; NULL: no memory. */
struct stake *stake_take(void);

/* Nothing yet, in that store, or in none. */
void stake_begin(struct stake *s, unsigned generation);

/* Of all in that store what is live. */
int64_t stake_sum(unsigned generation);

/*
 * The same, and what each has is kept, of so many, by who looks for a new peak:
 * one at a time.
 */
int64_t stake_look(unsigned generation, unsigned *count);

/*
 * What is missing to the peak: half of it for who asks, the rest for all others
 * of so many.  On top of what was seen: what one has given out since is of its
 * part.
 */
void stake_out(struct stake *own, int64_t spare, unsigned count);

/*
 * Has one given out more than its new part, by its old?  It might not come
 * back.
 */
bool stake_is_past(unsigned generation);

/* Whoever gives out a block next is past its limit. */
void stake_recall(void);

#endif
