/* Context: P.  Time as whole ticks of one rate. */
#ifndef TICKS_H
#define TICKS_H

#include <stdint.h>

#define TICKS_NS	1000000000u	/* of a second */

/* What is left over is carried to the next time, so that the sum is right. */
struct ticks {
	uint64_t period, left;	/* ns */
};

/* Half a period is there already: rounded, not cut off. */
static inline struct ticks
ticks_at(uint32_t rate)
{
	const uint64_t period = TICKS_NS / rate;

	return (struct ticks){period, period / 2};
}

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
