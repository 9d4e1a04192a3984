/* Context: O.  Random numbers of tests: the same ones everywhere. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* xorshift64*, Vigna 2016; the seed is not 0. */
static inline uint64_t
random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

static inline uint32_t
random_below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)((random_next(state) >> 32) * limit >> 32);
}

#endif
