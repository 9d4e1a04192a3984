/*
 * Context: S.  Enters blocks into a region's table, takes them out, and changes
 * its size and layout, for live_blocks.c, which holds the region's lock.
 */
#include "heap_live/block_table.h"

#define CROWDED		12u	/* blocks in 512 bytes */

/*
 * With so much memory the tables are in no near cache.  The first array of
 * regions has 1 MiB, and mostly there are two.
 */
#define NEAR_FROM	((uint64_t)4 << 20)

/*
 * Full buckets that a search may pass by, and buckets that may be searched to
 * fill a hole, before the table is laid out again.
 */
#define FAR		8u

/* Returns the key of the grain where a large block has its second entry. */
static inline uint32_t
adjacent_key(uint32_t key)
{
	return key ^ 2;
}

/* A region whose lock the caller holds, and the region's table. */
struct held_region {
	struct block_region *r;
	uintptr_t table;
	struct block_bucket *lines;	/* NULL: none */
	uint32_t mask;		/* number of the last bucket */
	uint32_t id;		/* number of the lock's holder */
	bool far;		/* a search passed by more than FAR buckets */
};

static inline void
load_region_table(struct held_region *h)
{
	h->table = block_table_of(h->r);
	h->lines = block_table_base(h->table);
	h->mask = (1u << block_table_bits(h->table)) - 1;
}

static inline uint32_t
home_bucket(const struct held_region *h, uint32_t key)
{
	return block_table_home(h->table, key);
}

/* A block's place: its bucket, and the slot in that. */
struct block_spot {
	uint32_t line, i;	/* i: BLOCK_BUCKET_SLOTS: none */
};

/*
 * Searches from the key's own bucket onward until the key or a bucket with a
 * free slot is found.
 */
static struct block_spot
find_block_spot(struct held_region *h, uint32_t key)
{
	struct block_spot s = { home_bucket(h, key), BLOCK_BUCKET_SLOTS };
	uint32_t n;

	for (n = 0; n <= h->mask; n++) {
		s.i = block_bucket_find(&h->lines[s.line], key);
		if (s.i != BLOCK_BUCKET_SLOTS ||
		    block_bucket_has_room(&h->lines[s.line]))
			break;
		s.line = (s.line + 1) & h->mask;
	}
	h->far |= n > FAR;
	return s;
}

/*
 * Enters a key that the table does not have, and leaves r->used as it is.  The
 * table has a free slot.
 */
static void
put_block_value(const struct held_region *h, uint32_t key, uint64_t value)
{
	uint32_t line = home_bucket(h, key), i;

	while ((i = block_bucket_find(&h->lines[line],
	    0)) == BLOCK_BUCKET_SLOTS)
		line = (line + 1) & h->mask;
	block_bucket_set_value(&h->lines[line], i, value);
	block_bucket_set_key(&h->lines[line], i, key);
}

static void
copy_all_blocks(struct held_region *to, const struct held_region *from)
{
	for (uint32_t line = 0; line <= from->mask; line++)
		for (uint32_t i = 0; i < BLOCK_BUCKET_SLOTS; i++)
			if (block_bucket_key(&from->lines[line], i) != 0)
				put_block_value(to,
				    block_bucket_key(&from->lines[line], i),
				    block_bucket_value(&from->lines[line], i));
}

/* Moves the region's blocks from its table, if it has one, to another. */
static void
move_to_table(struct block_pool *pool, struct held_region *h, uintptr_t table)
{
	const struct held_region old = *h;

	atomic_store_explicit(&h->r->table, table, memory_order_relaxed);
	load_region_table(h);
	h->far = false;
	if (old.lines == NULL)
		return;
	copy_all_blocks(h, &old);
	block_pool_free(pool, old.lines, block_table_bits(old.table), h->id);
}

/*
 * Lays a table out again in which neighbors crowd after all, because the
 * region's blocks are others than when the table grew, or crowd in a part only:
 * each block then has a hash of its own.
 */
static __attribute__((noinline)) void
spread_neighbours(struct block_pool *pool, struct held_region *h)
{
	const unsigned bits = block_table_bits(h->table);
	struct block_bucket *table;

	if ((h->table & BLOCK_TABLE_NEAR << BLOCK_TABLE_NEAR_SHIFT) == 0)
		return;
	table = block_pool_alloc(pool, bits, h->id);
	if (table != NULL)
		move_to_table(pool, h, (uintptr_t)table | bits);
}

/*
 * Returns how many blocks lie, on average, in those pieces of 512 bytes that
 * have any.  Counts one piece more, so that there is one.
 */
static uint32_t
block_density(const struct held_region *h)
{
	uint64_t seen[2] = { 0, 0 };
	uint32_t key, n, places = 1;

	for (uint32_t line = 0; line <= h->mask; line++)
		for (uint32_t i = 0; i < BLOCK_BUCKET_SLOTS; i++) {
			key = block_bucket_key(&h->lines[line], i);
			n = key >> 1 >> 2 * BLOCK_TABLE_NEAR;
			places += key != 0 && (seen[n / 64] >> n % 64 & 1) == 0;
			if (key != 0)
				seen[n / 64] |= (uint64_t)1 << n % 64;
		}
	return h->r->used / places;
}

/*
 * Returns the size of neighborhoods for the next table: mostly, no more blocks
 * have one hash than a bucket has room for.
 */
static uintptr_t
choose_neighbour_size(const struct block_pool *pool,
    const struct held_region *h)
{
	uintptr_t near = BLOCK_TABLE_NEAR;

	if (h->lines == NULL || atomic_load(&pool->memory) < NEAR_FROM)
		return 0;
	for (uint32_t n = block_density(h); n > CROWDED && near > 0; n /= 4)
		near--;
	return near << BLOCK_TABLE_NEAR_SHIFT;
}

/*
 * Makes room for one block more, and for one slot that stays free.  Returns 0
 * or -ENOMEM.
 */
static int
make_block_room(struct block_pool *pool, struct held_region *h)
{
	const unsigned before = block_table_bits(h->table), bits =
	    h->lines == NULL ? 0 : before + 1;
	const bool fits = h->lines != NULL &&
	    h->r->used + 1u < BLOCK_BUCKET_SLOTS << before;
	struct block_bucket *table;

	if (fits && (!block_table_is_full(h->r, h->table) ||
	    before == BLOCK_TABLE_MAX_BITS))
		return 0;
	table = bits > BLOCK_TABLE_MAX_BITS ? NULL : block_pool_alloc(pool,
	    bits, h->id);
	if (table == NULL)
		return fits ? 0 : -ENOMEM;
	move_to_table(pool, h,
	    (uintptr_t)table | bits | choose_neighbour_size(pool, h));
	return 0;
}

/*
 * Returns the slot of `line` whose block may move to the bucket `hole`, because
 * its own bucket is `hole` or one before it; BLOCK_BUCKET_SLOTS if there is
 * none.
 */
static uint32_t
find_displaced(const struct held_region *h, uint32_t hole, uint32_t line)
{
	const struct block_bucket *l = &h->lines[line];
	uint32_t i;

	for (i = 0; i < BLOCK_BUCKET_SLOTS; i++)
		if (block_bucket_key(l, i) != 0 && ((line - home_bucket(h,
		    block_bucket_key(l,
		    i))) & h->mask) >= ((line - hole) & h->mask))
			break;
	return i;
}

/*
 * Removes the block at `hole`.  If its bucket was full, it is not any more: a
 * block that had passed it by takes the free slot, and so on.
 */
static void
backshift_remove(struct held_region *h, struct block_spot hole)
{
	bool full = !block_bucket_has_room(&h->lines[hole.line]);
	struct block_spot s = hole;
	uint32_t n = 0;

	block_bucket_set_key(&h->lines[hole.line], hole.i, 0);
	h->r->used--;
	while (full) {
		s.line = (s.line + 1) & h->mask;
		if (s.line == hole.line)
			break;
		h->far |= ++n > FAR;
		full = !block_bucket_has_room(&h->lines[s.line]);
		s.i = find_displaced(h, hole.line, s.line);
		if (s.i == BLOCK_BUCKET_SLOTS)
			continue;
		block_bucket_set_value(&h->lines[hole.line], hole.i,
		    block_bucket_value(&h->lines[s.line], s.i));
		block_bucket_set_key(&h->lines[hole.line], hole.i,
		    block_bucket_key(&h->lines[s.line], s.i));
		block_bucket_set_key(&h->lines[s.line], s.i, 0);
		hole = s;
	}
}

/* Takes one entry out of the table.  Returns false if it is not there. */
static bool
remove_block_value(struct held_region *h, uint32_t key, uint64_t *value)
{
	const struct block_spot s = find_block_spot(h, key);

	if (s.i == BLOCK_BUCKET_SLOTS)
		return false;
	*value = block_bucket_value(&h->lines[s.line], s.i);
	backshift_remove(h, s);
	return true;
}

/*
 * Takes a block out of the table, with its second entry if it has one, and
 * fills *b.  Returns false if it is not there.
 */
static bool
remove_block(struct held_region *h, uint32_t key, struct live_block *b)
{
	uint64_t value, more;

	if (!remove_block_value(h, key, &value))
		return false;
	b->path = (uint32_t)value & BLOCK_PATH_MASK;
	b->bytes = value >> BLOCK_PATH_BITS;
	if (b->bytes == BLOCK_SIZE_MASK && remove_block_value(h,
	    adjacent_key(key), &more))
		b->bytes = more;
	return true;
}

/* Returns whether a large block begins there. */
static bool
is_large_block(struct held_region *h, uint32_t key)
{
	const struct block_spot s = find_block_spot(h, key);

	return s.i != BLOCK_BUCKET_SLOTS && block_bucket_value(
	    &h->lines[s.line], s.i) >> BLOCK_PATH_BITS == BLOCK_SIZE_MASK;
}

/*
 * Takes out, as remove_block() does, a block whose end was not seen and that is
 * in the way of a new one: at its key, a large one whose second entry is there,
 * or where its own second entry is to be.  If there are two, one is lost.
 */
static bool
remove_stale_block(struct held_region *h, uint32_t key, bool large,
    struct live_block *old)
{
	bool had = (key & 2) != 0 && is_large_block(h, adjacent_key(key)) ?
	    remove_block(h, adjacent_key(key), old) :
	    remove_block(h, key, old);

	if (large)
		had |= remove_block(h, adjacent_key(key), old);
	return had;
}

static void
add_block_value(struct held_region *h, uint32_t key, uint64_t value)
{
	put_block_value(h, key, value);
	h->r->used++;
}

/*
 * Enters a block.  One of BLOCK_SIZE_MASK bytes, 1 MiB less one, or more takes
 * two slots.
 */
static int
insert_block(struct block_pool *pool, struct held_region *h, uint32_t key,
    const struct live_block *b)
{
	const bool large = b->bytes >= BLOCK_SIZE_MASK;
	int ret = make_block_room(pool, h);

	if (ret != 0)
		return ret;
	add_block_value(h, key, block_table_value(b->path, large ?
	    BLOCK_SIZE_MASK : b->bytes));
	if (!large)
		return 0;
	ret = make_block_room(pool, h);
	if (ret == 0)
		add_block_value(h, adjacent_key(key), b->bytes);
	else
		backshift_remove(h, find_block_spot(h, key));
	return ret;
}

/*
 * Makes a region's first table with half as many buckets as that of the region
 * below, if that is at least half full: heaps grow upward, and their parts are
 * much alike.
 */
static void
size_like_neighbour(struct block_pool *pool, struct held_region *h,
    const struct block_region *below)
{
	const uintptr_t its = block_table_of(below);
	const unsigned bits = block_table_bits(its);
	struct block_bucket *table;

	if (bits < 4 || atomic_load(&pool->memory) < NEAR_FROM ||
	    __atomic_load_n(&below->used, __ATOMIC_RELAXED) * 4u <
	    BLOCK_TABLE_FULL << bits)
		return;
	table = block_pool_alloc(pool, bits - 1, h->id);
	if (table != NULL)
		move_to_table(pool, h, (uintptr_t)table | (bits - 1) |
		    (its & BLOCK_TABLE_NEAR << BLOCK_TABLE_NEAR_SHIFT));
}

int
block_table_insert(struct block_pool *pool, struct block_region *r,
    bool is_first, uint32_t id, uint32_t key, const struct live_block *b,
    struct live_block *old)
{
	struct held_region h = { .r = r, .id = id };
	bool had;
	int ret;

	load_region_table(&h);
	if (h.lines == NULL && !is_first)
		size_like_neighbour(pool, &h, r - 1);
	had = h.lines != NULL && remove_stale_block(&h, key, b->bytes >=
	    BLOCK_SIZE_MASK, old);
	ret = insert_block(pool, &h, key, b);
	if (h.far)
		spread_neighbours(pool, &h);
	return ret == 0 ? had : ret;
}

bool
block_table_remove(struct block_pool *pool, struct block_region *r, uint32_t id,
    uint32_t key, struct live_block *b)
{
	struct held_region h = { .r = r, .id = id };
	bool found;

	load_region_table(&h);
	/* The second entry of a large block is none. */
	found = h.lines != NULL && ((key & 2) == 0 || !is_large_block(&h,
	    adjacent_key(key))) && remove_block(&h, key, b);
	if (h.far)
		spread_neighbours(pool, &h);
	return found;
}
