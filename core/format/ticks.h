/*
 * Context: P.  Converts times to whole histogram counts ("ticks") of a fixed
 * rate without losing the remainders, for writers of classic formats, in
 * libmon.so and in the tools, and for the classic listing.  Inline.
 */
#ifndef TICKS_H
#define TICKS_H

#include <stdint.h>

#define TICKS_NS	1000000000u	/* ns in a second */

/*
 * A conversion in progress.  The remainder of each time is carried to the next,
 * so that the sum of all ticks is right.
 */
struct ticks {
	uint64_t period, left;	/* ns of a tick; remainder in ns */
};

/*
 * Returns a conversion to `rate` ticks a second.  The remainder starts at half
 * a period, so that the sum is rounded, not truncated.
 */
static inline struct ticks
ticks_at(uint32_t rate)
{
	const uint64_t period = TICKS_NS / rate;

	return (struct ticks){period, period / 2};
}

/*
 * Converts `ns` and what was carried; returns the whole ticks and carries the
 * remainder.
 */
static inline uint64_t
ticks_whole(struct ticks *t, uint64_t ns)
{
	/* In this order, or the sum can overflow. */
	uint64_t ticks = ns / t->period;

	t->left += ns % t->period;
	ticks += t->left / t->period;
	t->left %= t->period;
	return ticks;
}

#endif
