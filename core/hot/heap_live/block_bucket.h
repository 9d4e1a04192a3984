/*
 * Context: S.  Buckets of the tables of live blocks: eight blocks of one
 * region, in one cache line.  A block is a key of 16 bits, which says where in
 * the region it begins, and a value of 48 bits; block_table.h says what both
 * mean.  block_table.c and live_blocks.c use it.  The caller holds the region's
 * lock, or only prefetches.
 */
#ifndef BLOCK_BUCKET_H
#define BLOCK_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_BUCKET_SLOTS		8u		/* blocks of a bucket */
/* Bits of a value. */
#define BLOCK_VALUE_BITS	48u

/*
 * A bucket.  The keys of 16 bits lie together, so that one look compares all:
 * the processor would mispredict a branch for each key, which costs more than
 * the cache line.  Key 0 is a free slot.
 */
struct block_bucket {
	uint64_t keys[2];
	unsigned char values[BLOCK_BUCKET_SLOTS * BLOCK_VALUE_BITS / 8];
};

_Static_assert(sizeof(struct block_bucket) == 64, "a cache line");

/*
 * block_bucket_value() returns the value of slot i, and
 * block_bucket_set_value() sets it.  To load 48 bits, the first reads the eight
 * bytes that end with them; the second stores them in two parts.
 */
static inline uint64_t
block_bucket_value(const struct block_bucket *l, uint32_t i)
{
	uint64_t eight;

	__builtin_memcpy(&eight, &l->values[6 * i] - 2, sizeof(eight));
	return eight >> 16;
}

static inline void
block_bucket_set_value(struct block_bucket *l, uint32_t i, uint64_t value)
{
	const uint32_t low = (uint32_t)value;
	const uint16_t high = (uint16_t)(value >> 32);

	__builtin_memcpy(&l->values[6 * i], &low, sizeof(low));
	__builtin_memcpy(&l->values[6 * i + 4], &high, sizeof(high));
}

/*
 * block_bucket_key() returns the key of slot i, and block_bucket_set_key() sets
 * it; 0: the slot is free.
 */
static inline uint32_t
block_bucket_key(const struct block_bucket *l, uint32_t i)
{
	return (uint32_t)(l->keys[i / 4] >> i % 4 * 16) & 0xffff;
}

static inline void
block_bucket_set_key(struct block_bucket *l, uint32_t i, uint32_t key)
{
	const uint16_t k = (uint16_t)key;

	__builtin_memcpy((char *)l->keys + 2 * i, &k, sizeof(k));
}

/* A word with a 1 in each of its four parts of 16 bits. */
#define KEY_LANES	0x0001000100010001u

/*
 * Compares the four keys in `keys` with `key`.  Returns 0 if none is equal;
 * else the lowest bit set is the highest bit of the first equal key's 16 bits.
 */
static inline uint64_t
match_block_key(uint64_t keys, uint32_t key)
{
	const uint64_t other = keys ^ key * KEY_LANES;

	return (other - KEY_LANES) & ~other & KEY_LANES << 15;
}

/*
 * Returns the slot that has that key, or BLOCK_BUCKET_SLOTS if none has.  Key 0
 * finds a free slot.  Both words of keys are compared side by side, 16 bits
 * interleaved with 16, because the processor would also mispredict which word
 * has the key.
 */
static inline uint32_t
block_bucket_find(const struct block_bucket *l, uint32_t key)
{
	const uint64_t both = match_block_key(l->keys[0], key) >> 1 |
	    match_block_key(l->keys[1], key);
	const uint32_t bit = both == 0 ? 0 : (uint32_t)__builtin_ctzll(both);

	return both == 0 ? BLOCK_BUCKET_SLOTS : bit / 16 + bit % 2 * 4;
}

/*
 * block_bucket_has_key() returns whether a slot has that key, and
 * block_bucket_has_room() whether a slot is free.
 */
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
