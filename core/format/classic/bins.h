/*
 * Context: P.  Maps a program counter to its counter in an array of counters,
 * as profil(2) does.  Inline, for libmon.so, which counts in such arrays
 * (hot/count/histogram.c, runtime/classic/monitor.c), also in the tick handler:
 * it makes no call.
 */
#ifndef BINS_H
#define BINS_H

#include <stdint.h>

/* An array of counters, described as profil(2) and sprofil(3) take it. */
struct bins {
	uint64_t offset;	/* lowest address that is counted */
	/*
	 * Ratio of counters to text: at 65536 a counter covers as many bytes of
	 * text as it has itself.
	 */
	uint64_t scale;
	uint64_t slots;		/* number of counters */
	unsigned width;		/* bytes of one counter: 2, 4 or 8 */
};

/* Result of bins_slot() for an address that the array does not cover. */
#define BINS_NONE UINT64_MAX

/*
 * Returns the index of the counter for `pc`, or BINS_NONE.  The index is [(pc -
 * offset) / width] * scale / 65536, as in 4.4BSD's profil(2); the product does
 * not wrap.
 */
static inline uint64_t
bins_slot(const struct bins *b, uint64_t pc)
{
	__extension__ unsigned __int128 slot;

	if (pc < b->offset)
		return BINS_NONE;
	slot = (pc - b->offset) / b->width;
	slot = slot * b->scale >> 16;
	return slot < b->slots ? (uint64_t)slot : BINS_NONE;
}

/* Returns the largest value of a counter. */
static inline uint64_t
bins_most(const struct bins *b)
{
	return b->width == 8 ? UINT64_MAX :
	    ((uint64_t)1 << 8 * b->width) - 1;
}

#endif
