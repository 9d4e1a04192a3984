/* Context: P.  The counter of an array that a program counter belongs to. */
#ifndef BINS_H
#define BINS_H

#include <stdint.h>

/* As profil(2) and sprofil(3) are given them. */
struct bins {
	uint64_t offset;	/* the lowest address that counts */
	uint64_t scale;		/* 65536: a counter for as many bytes of text
				   as it has itself */
	uint64_t slots;		/* counters */
	unsigned width;		/* bytes of one: 2, 4 or 8 */
};

#define BINS_NONE UINT64_MAX

/* [(pc - offset) / width] * scale / 65536, as 4.4BSD's profil(2); no wrap. */
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

static inline uint64_t
bins_most(const struct bins *b)
{
	return b->width == 8 ? UINT64_MAX :
	    ((uint64_t)1 << 8 * b->width) - 1;
}

#endif
