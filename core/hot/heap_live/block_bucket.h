/* Context: S.  Eight blocks of a region, in a cache line. */
#ifndef BLOCK_BUCKET_H
#define BLOCK_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_BUCKET_SLOTS		8u		/* blocks */
#define BLOCK_VALUE_BITS	48u

/*
 * Keys of 16 bits lie together, to be compared at once: a branch for each would
 * be foreseen wrongly and cost more than the line.  0: a free place.
 */
struct block_bucket {
	uint64_t keys[2];
	unsigned char values[BLOCK_BUCKET_SLOTS * BLOCK_VALUE_BITS / 8];
};

_Static_assert(sizeof(struct block_bucket) == 64, "a cache line");

/* 48 bits, at the end of eight bytes, or at their begin. */
static inline uint64_t
block_bucket_value(const struct block_bucket *l, uint32_t i)
{
	uint64_t eight;

	__builtin_memcpy(&eight, &l->values[6 * i] - 2, sizeof eight);
	return eight >> 16;
}

static inline void
block_bucket_set_value(struct block_bucket *l, uint32_t i, uint64_t value)
{
	const uint32_t low = (uint32_t)value;
	const uint16_t high = (uint16_t)(value >> 32);

	__builtin_memcpy(&l->values[6 * i], &low, sizeof low);
	__builtin_memcpy(&l->values[6 * i + 4], &high, sizeof high);
}

static inline uint32_t
block_bucket_key(const struct block_bucket *l, uint32_t i)
{
	return (uint32_t)(l->keys[i / 4] >> i % 4 * 16) & 0xffff;
}

static inline void
block_bucket_set_key(struct block_bucket *l, uint32_t i, uint32_t key)
{
	const uint16_t k = (uint16_t)key;

	__builtin_memcpy((char *)l->keys + 2 * i, &k, sizeof k);
}

#define KEY_LANES	0x0001000100010001u

/* The lowest bit of what is not 0 is in the first 16 bits that are that key. */
static inline uint64_t
match_block_key(uint64_t keys, uint32_t key)
{
	const uint64_t other = keys ^ key * KEY_LANES;

	return (other - KEY_LANES) & ~other & KEY_LANES << 15;
}

/*
 * Where in the line that key is; BLOCK_BUCKET_SLOTS: nowhere.  0: a free
 * place.  Both halves side by side, 16 bits by 16, as the one that has it is
 * foreseen wrongly, too.
 */
static inline uint32_t
block_bucket_find(const struct block_bucket *l, uint32_t key)
{
	const uint64_t both = match_block_key(l->keys[0], key) >> 1 |
	    match_block_key(l->keys[1], key);
	const uint32_t bit = both == 0 ? 0 : (uint32_t)__builtin_ctzll(both);

	return both == 0 ? BLOCK_BUCKET_SLOTS : bit / 16 + bit % 2 * 4;
}

static inline bool
block_bucket_has_key(const struct block_bucket *l, uint32_t key)
{
	return (match_block_key(l->keys[0], key) | match_block_key(l->keys[1],
	    key)) != 0;
}

static inline bool
block_bucket_has_room(const struct block_bucket *l)
{
	return block_bucket_has_key(l, 0);
}

#endif
