/*
 * Context: S.  The live blocks of a region, which is 64 KiB of addresses, in a
 * hash table of buckets of eight.  A block is in the bucket of its hash or, if
 * that is full, in the next that is not: behind a bucket that is not full there
 * is none of its blocks, so that most searches look at one bucket.  In a large
 * table neighbors have the same hash, because they mostly end together.  Used
 * by live_blocks.c, which locks the region, in a thread that counts a call of
 * an allocation function.  A handler that has interrupted such a call must not
 * call: alloc_count.h keeps nested calls away.
 */
#ifndef BLOCK_TABLE_H
#define BLOCK_TABLE_H

#include "heap_live/block_pool.h"
#include "heap_live/live_blocks.h"

/* A region has 64 KiB of addresses. */
#define BLOCK_REGION_BITS	16
/* A grain is 8 bytes.  Any two blocks begin 8 bytes apart or more. */
#define BLOCK_GRAIN_BITS	3

/*
 * A key is 1 in the lowest bit, and the block's grain in the region above; 0 is
 * a free slot.  A value is the block's path, and above that its size.  Size
 * BLOCK_SIZE_MASK means that the block has so many bytes or more: a second
 * entry, whose value is the size alone, has the odd grain beside the block's.
 * So a large block begins at an even grain; live_blocks_insert() refuses
 * others.
 */
#define BLOCK_OFFSET_BITS	(BLOCK_REGION_BITS - BLOCK_GRAIN_BITS)
#define BLOCK_KEY_MASK	((2u << BLOCK_OFFSET_BITS) - 1)
#define BLOCK_PATH_BITS	28
#define BLOCK_SIZE_BITS	20
#define BLOCK_PATH_MASK	((1u << BLOCK_PATH_BITS) - 1)
#define BLOCK_SIZE_MASK	((1u << BLOCK_SIZE_BITS) - 1)

#define BLOCK_TABLE_MAX_BITS	(BLOCK_OFFSET_BITS - 3)	/* 2^10 buckets */

/*
 * A table is one word: its address, a multiple of a cache line; in the lowest
 * bits n, for 2^n buckets; and above that m: blocks within 4^m grains, at most
 * 512 bytes, are neighbors, and have one hash.
 */
#define BLOCK_TABLE_BITS	((uintptr_t)15)
#define BLOCK_TABLE_NEAR_SHIFT	4
#define BLOCK_TABLE_NEAR	((uintptr_t)3)

/*
 * Tables of 2^8 buckets and more with the largest neighborhood are in the order
 * of addresses, because their region is mostly full by then.  If a part of such
 * a region is crowded, spread_neighbours() lays the table out again.
 */
#define BLOCK_TABLE_ORDERED	(BLOCK_TABLE_NEAR << BLOCK_TABLE_NEAR_SHIFT | 8)

/*
 * A table is full if so many 16ths of its slots are used: one bucket of ten has
 * no free slot by then.
 */
#define BLOCK_TABLE_FULL	11u

/* A region.  The holder of the lock owns `used` and the table. */
struct block_region {
	_Atomic uint32_t lock;	/* id of the holder, 0: none */
	uint16_t used;	/* entries of the table */
	/*
	 * its holder did not come back, and no thread uses the region any more
	 */
	_Atomic bool given_up;
	_Atomic uintptr_t table;	/* the table; 0: none */
};

_Static_assert(BLOCK_PATH_BITS + BLOCK_SIZE_BITS == BLOCK_VALUE_BITS,
    "a value");
_Static_assert(LIVE_BLOCKS_PATHS == 1u << BLOCK_PATH_BITS, "a value");
_Static_assert(BLOCK_TABLE_MAX_BITS < BLOCK_POOL_SIZES, "tables");
_Static_assert(BLOCK_TABLE_MAX_BITS <= BLOCK_TABLE_BITS, "a word");
_Static_assert(BLOCK_TABLE_NEAR << BLOCK_TABLE_NEAR_SHIFT <
    sizeof(struct block_bucket), "a word");

/*
 * block_table_key() returns the key of the block at that address;
 * block_table_value() the value of a block of that path and size.
 */
static inline uint32_t
block_table_key(uintptr_t at)
{
	return ((uint32_t)(at >> BLOCK_GRAIN_BITS) << 1 & BLOCK_KEY_MASK) | 1;
}

static inline uint64_t
block_table_value(uint32_t path, uint64_t bytes)
{
	return path | bytes << BLOCK_PATH_BITS;
}

/*
 * block_table_of() returns the region's table, 0: none; block_table_base() the
 * table's first bucket; block_table_bits() n, for 2^n buckets.
 */
static inline uintptr_t
block_table_of(const struct block_region *r)
{
	return atomic_load_explicit(&r->table, memory_order_relaxed);
}

static inline struct block_bucket *
block_table_base(uintptr_t table)
{
	return (struct block_bucket *)(table & -sizeof(struct block_bucket));
}

static inline unsigned
block_table_bits(uintptr_t table)
{
	return (unsigned)(table & BLOCK_TABLE_BITS);
}

/*
 * Returns the number of the bucket that the key belongs to.  Neighbors have one
 * number; the upper bits of that number times the golden ratio distribute
 * numbers in a row, and at any stride, evenly.  Where buckets are in the order
 * of addresses, the processor fetches the next one as well.
 */
static inline uint32_t
block_table_home(uintptr_t table, uint32_t key)
{
	const unsigned near =
	    table >> BLOCK_TABLE_NEAR_SHIFT & BLOCK_TABLE_NEAR;
	const uint32_t hash = (key >> 1 >> 2 * near) * 0x9e3779b1u;

	if ((table & BLOCK_TABLE_ORDERED) == BLOCK_TABLE_ORDERED)
		return key >> 1 >> (BLOCK_OFFSET_BITS -
		    block_table_bits(table));
	return (uint32_t)((uint64_t)hash >> (32 - block_table_bits(table)));
}

/*
 * block_table_bucket() returns the bucket that the key belongs to;
 * block_table_is_full() whether the region's table is too full for one more
 * block.
 */
static inline struct block_bucket *
block_table_bucket(uintptr_t table, uint32_t key)
{
	return &block_table_base(table)[block_table_home(table, key)];
}

static inline bool
block_table_is_full(const struct block_region *r, uintptr_t table)
{
	return (r->used + 1u) * 2 > BLOCK_TABLE_FULL << block_table_bits(table);
}

/*
 * block_table_insert() enters block b with that key, and returns 0, 1 or
 * -ENOMEM as live_blocks_insert() does, with the old block in *old if there
 * was one; block_table_remove() takes the block out, as live_blocks_remove()
 * does.  They search past the block's own bucket, which callers try first.
 * Both may take the pool's lock, and wait ten seconds for it, and may replace
 * the table: buckets found before are not valid then.  The caller holds the
 * region's lock as number `id`.  is_first: there is no region below this one in
 * its array.
 */
int block_table_insert(struct block_pool *pool, struct block_region *r,
    bool is_first, uint32_t id, uint32_t key, const struct live_block *b,
    struct live_block *old);
bool block_table_remove(struct block_pool *pool, struct block_region *r,
    uint32_t id, uint32_t key, struct live_block *b);

#endif
