/*
 * Context: S.  The blocks of a region, 64 KiB of addresses, in a hash table of
 * lines of eight.  A block is in the line of its hash, or, if that is full, in
 * the next: a line that is not full has none elsewhere, so that most looks are
 * at one.  In a large table neighbours have the same hash, as they mostly end
 * together.
 */
#ifndef BLOCKTABLE_H
#define BLOCKTABLE_H

#include "blockpool.h"
#include "blocks.h"

#define REGION_BITS	16
#define GRAIN_BITS	3		/* blocks lie 8 bytes apart or more */

/* A key: 1, and where in its region.  0: free.  A value: whose, how large. */
#define PLACE_BITS	(REGION_BITS - GRAIN_BITS)
#define KEY_MASK	((2u << PLACE_BITS) - 1)
#define PATH_BITS	28
#define SIZE_BITS	20
#define PATH_MASK	((1u << PATH_BITS) - 1)
#define SIZE_MASK	((1u << SIZE_BITS) - 1)	/* that: the block at the odd
						   grain beside it has it */

#define TABLE_LAST	(PLACE_BITS - 3)	/* 2^that lines */

/*
 * A table is a word: where it lies, at a multiple of a line; of 2^n lines; and
 * neighbours are those within 4^n grains, 512 bytes at the most.
 */
#define TABLE_BITS	((uintptr_t)15)
#define TABLE_NEAR_AT	4
#define TABLE_NEAR	((uintptr_t)3)

/*
 * In the order of addresses: large ones of 2^8 lines and more, as their region
 * is mostly full by then.  If it is crowded in a part, spread() sees to it.
 */
#define TABLE_ORDERED	(TABLE_NEAR << TABLE_NEAR_AT | 8)

/* Full so far, in 16ths of 8: one line of ten has no room left. */
#define TABLE_FULL	11u

struct region {
	_Atomic uint32_t lock;
	uint16_t used;
	_Atomic bool given_up;		/* its holder did not come back */
	_Atomic uintptr_t table;	/* 0 none */
};

_Static_assert(PATH_BITS + SIZE_BITS == VALUE_BITS, "a value");
_Static_assert(BLOCKS_PATHS == 1u << PATH_BITS, "a value");
_Static_assert(TABLE_LAST < POOL_SIZES, "tables");
_Static_assert(TABLE_LAST <= TABLE_BITS, "a word");
_Static_assert(TABLE_NEAR << TABLE_NEAR_AT < sizeof(struct line), "a word");

static inline uint32_t
table_key(uintptr_t at)
{
	return ((uint32_t)(at >> GRAIN_BITS) << 1 & KEY_MASK) | 1;
}

static inline uint64_t
table_value(uint32_t path, uint64_t bytes)
{
	return path | bytes << PATH_BITS;
}

static inline uintptr_t
table_of(const struct region *r)
{
	return atomic_load_explicit(&r->table, memory_order_relaxed);
}

static inline struct line *
table_lines(uintptr_t table)
{
	return (struct line *)(table & -sizeof(struct line));
}

static inline unsigned
table_bits(uintptr_t table)
{
	return (unsigned)(table & TABLE_BITS);
}

/*
 * Neighbours have one number.  Numbers in a row, and at any stride, lie evenly
 * by their upper bits, times the golden ratio.  Where lines are in the order of
 * addresses, the next is on its way to the cache, too.
 */
static inline uint32_t
table_home(uintptr_t table, uint32_t key)
{
	const unsigned near = table >> TABLE_NEAR_AT & TABLE_NEAR;
	const uint32_t hash = (key >> 1 >> 2 * near) * 0x9e3779b1u;

	if ((table & TABLE_ORDERED) == TABLE_ORDERED)
		return key >> 1 >> (PLACE_BITS - table_bits(table));
	return (uint32_t)((uint64_t)hash >> (32 - table_bits(table)));
}

static inline struct line *
table_line(uintptr_t table, uint32_t key)
{
	return &table_lines(table)[table_home(table, key)];
}

static inline bool
table_is_full(const struct region *r, uintptr_t table)
{
	return (r->used + 1u) * 2 > TABLE_FULL << table_bits(table);
}

/*
 * What is not done at a block's line alone, by who holds the region, of that
 * number.  A block is entered: as blocks_enter().  One is taken out: as
 * blocks_take().  is_first: there is no region below it.
 */
int table_enter(struct pool *pool, struct region *r, bool is_first,
    uint32_t id, uint32_t key, const struct block *b, struct block *old);
bool table_take(struct pool *pool, struct region *r, uint32_t id,
    uint32_t key, struct block *b);

/* Gives the memory of an empty region's table back to the pool. */
void table_leave(struct pool *pool, struct region *r, uint32_t id);

#endif
