/*
 * Context: S.  The blocks of a region, 64 KiB of addresses, in a hash table of
 * lines of eight.  A block is in the line of its hash, or, if that is full, in
 * the next: a line that is not full has none elsewhere, so that most looks are
 * at one.  In a large table neighbours have the same hash, as they mostly end
 * together.
 */
#ifndef BLOCK_TABLE_H
#define BLOCK_TABLE_H

#include "heap_live/block_pool.h"
#include "heap_live/live_blocks.h"

#define BLOCK_REGION_BITS	16
/* Blocks lie 8 bytes apart or more */
#define BLOCK_GRAIN_BITS	3

/* A key: 1, and where in its region.  0: free.  A value: whose, how large. */
#define BLOCK_OFFSET_BITS	(BLOCK_REGION_BITS - BLOCK_GRAIN_BITS)
#define BLOCK_KEY_MASK	((2u << BLOCK_OFFSET_BITS) - 1)
#define BLOCK_PATH_BITS	28
#define BLOCK_SIZE_BITS	20
#define BLOCK_PATH_MASK	((1u << BLOCK_PATH_BITS) - 1)
#define BLOCK_SIZE_MASK	((1u << BLOCK_SIZE_BITS) - 1)	/* that: the block at the odd
						   grain beside it has it */

#define BLOCK_TABLE_MAX_BITS	(BLOCK_OFFSET_BITS - 3)	/* 2^that lines */

/*
 * A table is a word: where it lies, at a multiple of a line; of 2^n lines; and
 * neighbours are those within 4^n grains, 512 bytes at the most.
 */
#define BLOCK_TABLE_BITS	((uintptr_t)15)
#define BLOCK_TABLE_NEAR_SHIFT	4
#define BLOCK_TABLE_NEAR	((uintptr_t)3)

/*
 * In the order of addresses: large ones of 2^8 lines and more, as their region
 * is mostly full by then.  If it is crowded in a part, spread() sees to it.
 */
#define BLOCK_TABLE_ORDERED	(BLOCK_TABLE_NEAR << BLOCK_TABLE_NEAR_SHIFT | 8)

/* Full so far, in 16ths of 8: one line of ten has no room left. */
#define BLOCK_TABLE_FULL	11u

struct block_region {
	_Atomic uint32_t lock;
	uint16_t used;
	_Atomic bool given_up;		/* its holder did not come back */
	_Atomic uintptr_t table;	/* 0 none */
};

_Static_assert(BLOCK_PATH_BITS + BLOCK_SIZE_BITS == BLOCK_VALUE_BITS,
    "a value");
_Static_assert(LIVE_BLOCKS_PATHS == 1u << BLOCK_PATH_BITS, "a value");
_Static_assert(BLOCK_TABLE_MAX_BITS < BLOCK_POOL_SIZES, "tables");
_Static_assert(BLOCK_TABLE_MAX_BITS <= BLOCK_TABLE_BITS, "a word");
_Static_assert(BLOCK_TABLE_NEAR << BLOCK_TABLE_NEAR_SHIFT <
    sizeof(struct block_bucket), "a word");

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
 * Neighbours have one number.  Numbers in a row, and at any stride, lie evenly
 * by their upper bits, times the golden ratio.  Where lines are in the order of
 * addresses, the next is on its way to the cache, too.
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
 * What is not done at a block's line alone, by who holds the region, of that
 * number.  A block is entered: as live_blocks_insert().  One is taken out: as
 * live_blocks_remove().  is_first: there is no region below it.
 */
int block_table_insert(struct block_pool *pool, struct block_region *r,
    bool is_first, uint32_t id, uint32_t key, const struct live_block *b,
    struct live_block *old);
bool block_table_remove(struct block_pool *pool, struct block_region *r,
    uint32_t id, uint32_t key, struct live_block *b);

/* Gives the memory of an empty region's table back to the pool. */
void block_table_release(struct block_pool *pool, struct block_region *r,
    uint32_t id);

#endif
