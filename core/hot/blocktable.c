/* Context: S.  A region's table; see blocktable.h. */
#include "blocktable.h"

#define CROWDED		12u	/* in 512 bytes */

/*
 * From so much memory on the tables are in no near cache.  The first array has
 * 1 MiB, and mostly there are two.
 */
#define NEAR_FROM	((uint64_t)4 << 20)

/* Full lines that a look may pass by; as many as a hole is filled from. */
#define FAR		8u

/* Of the next grain, where no block begins if a large one does at this. */
static inline uint32_t
next_key(uint32_t key)
{
	return key ^ 2;
}

/* A region that is held, and its table. */
struct held {
	struct region *r;
	uintptr_t table;
	struct line *lines;	/* NULL none */
	uint32_t mask;		/* number of the last */
	uint32_t id;		/* of who holds it */
	bool far;		/* many full lines were passed by */
};

static inline void
see(struct held *h)
{
	h->table = table_of(h->r);
	h->lines = table_lines(h->table);
	h->mask = (1u << table_bits(h->table)) - 1;
}

static inline uint32_t
home(const struct held *h, uint32_t key)
{
	return table_home(h->table, key);
}

/* A block's place: its line, and where in that. */
struct spot {
	uint32_t line, i;	/* LINE: there is none */
};

static struct spot
find(struct held *h, uint32_t key)
{
	struct spot s = { home(h, key), LINE };
	uint32_t n;

	for (n = 0; n <= h->mask; n++) {
		s.i = in_line(&h->lines[s.line], key);
		if (s.i != LINE || has_room(&h->lines[s.line]))
			break;
		s.line = (s.line + 1) & h->mask;
	}
	h->far |= n > FAR;
	return s;
}

/* It is not there, and there is room. */
static void
put(const struct held *h, uint32_t key, uint64_t value)
{
	uint32_t line = home(h, key), i;

	while ((i = in_line(&h->lines[line], 0)) == LINE)
		line = (line + 1) & h->mask;
	set_value(&h->lines[line], i, value);
	set_key(&h->lines[line], i, key);
}

static void
copy_blocks(struct held *to, const struct held *from)
{
	uint32_t line, i;

	for (line = 0; line <= from->mask; line++)
		for (i = 0; i < LINE; i++)
			if (key_in(&from->lines[line], i) != 0)
				put(to, key_in(&from->lines[line], i),
				    value_in(&from->lines[line], i));
}

/* From the one that it had, if any, to another. */
static void
move_to(struct pool *pool, struct held *h, uintptr_t table)
{
	const struct held old = *h;

	atomic_store_explicit(&h->r->table, table, memory_order_relaxed);
	see(h);
	h->far = false;
	if (old.lines == NULL)
		return;
	copy_blocks(h, &old);
	pool_give(pool, old.lines, table_bits(old.table), h->id);
}

/*
 * Where neighbours crowd after all, as what a region has is other than when its
 * table grew, or in a part of it only: each block has its own line.
 */
static __attribute__((noinline)) void
spread(struct pool *pool, struct held *h)
{
	const unsigned bits = table_bits(h->table);
	struct line *table;

	if ((h->table & TABLE_NEAR << TABLE_NEAR_AT) == 0)
		return;
	table = pool_take(pool, bits, h->id);
	if (table != NULL)
		move_to(pool, h, (uintptr_t)table | bits);
}

/*
 * How many lie within 512 bytes, where there are any.  One place more is
 * counted, so that there is one.
 */
static uint32_t
crowd(const struct held *h)
{
	uint64_t seen[2] = { 0, 0 };
	uint32_t line, i, key, n, places = 1;

	for (line = 0; line <= h->mask; line++)
		for (i = 0; i < LINE; i++) {
			key = key_in(&h->lines[line], i);
			n = key >> 1 >> 2 * TABLE_NEAR;
			places += key != 0 && (seen[n / 64] >> n % 64 & 1) == 0;
			if (key != 0)
				seen[n / 64] |= (uint64_t)1 << n % 64;
		}
	return h->r->used / places;
}

/* For the next table: no more share a line than there is room for, mostly. */
static uintptr_t
nearness(const struct pool *pool, const struct held *h)
{
	uintptr_t near = TABLE_NEAR;
	uint32_t n;

	if (h->lines == NULL || atomic_load(&pool->memory) < NEAR_FROM)
		return 0;
	for (n = crowd(h); n > CROWDED && near > 0; n /= 4)
		near--;
	return near << TABLE_NEAR_AT;
}

/* Room for one block more, and one that stays free.  0 or -ENOMEM. */
static int
make_room(struct pool *pool, struct held *h)
{
	const unsigned before = table_bits(h->table), bits = h->lines == NULL ?
	    0 : before + 1;
	const bool fits = h->lines != NULL && h->r->used + 1u < LINE << before;
	struct line *table;

	if (fits && (!table_is_full(h->r, h->table) || before == TABLE_LAST))
		return 0;
	table = bits > TABLE_LAST ? NULL : pool_take(pool, bits, h->id);
	if (table == NULL)
		return fits ? 0 : -ENOMEM;
	move_to(pool, h, (uintptr_t)table | bits | nearness(pool, h));
	return 0;
}

/* Of `line` or beyond, one that would be in the full line `hole`, or before. */
static uint32_t
displaced(const struct held *h, uint32_t hole, uint32_t line)
{
	const struct line *l = &h->lines[line];
	uint32_t i;

	for (i = 0; i < LINE; i++)
		if (key_in(l, i) != 0 &&
		    ((line - home(h, key_in(l, i))) & h->mask) >=
		    ((line - hole) & h->mask))
			break;
	return i;
}

/* A line that was full is not any more: what passed it by comes back. */
static void
remove_at(struct held *h, struct spot hole)
{
	bool full = !has_room(&h->lines[hole.line]);
	struct spot s = hole;
	uint32_t n = 0;

	set_key(&h->lines[hole.line], hole.i, 0);
	h->r->used--;
	while (full) {
		s.line = (s.line + 1) & h->mask;
		if (s.line == hole.line)
			break;
		h->far |= ++n > FAR;
		full = !has_room(&h->lines[s.line]);
		s.i = displaced(h, hole.line, s.line);
		if (s.i == LINE)
			continue;
		set_value(&h->lines[hole.line], hole.i,
		    value_in(&h->lines[s.line], s.i));
		set_key(&h->lines[hole.line], hole.i,
		    key_in(&h->lines[s.line], s.i));
		set_key(&h->lines[s.line], s.i, 0);
		hole = s;
	}
}

static bool
remove(struct held *h, uint32_t key, uint64_t *value)
{
	const struct spot s = find(h, key);

	if (s.i == LINE)
		return false;
	*value = value_in(&h->lines[s.line], s.i);
	remove_at(h, s);
	return true;
}

static bool
take(struct held *h, uint32_t key, struct block *b)
{
	uint64_t value, more;

	if (!remove(h, key, &value))
		return false;
	b->path = (uint32_t)value & PATH_MASK;
	b->bytes = value >> PATH_BITS;
	if (b->bytes == SIZE_MASK && remove(h, next_key(key), &more))
		b->bytes = more;
	return true;
}

static void
add(struct held *h, uint32_t key, uint64_t value)
{
	put(h, key, value);
	h->r->used++;
}

/* One of 1 MiB and more has two places. */
static int
enter(struct pool *pool, struct held *h, uint32_t key, const struct block *b)
{
	const bool large = b->bytes >= SIZE_MASK;
	int ret = make_room(pool, h);

	if (ret == 0)
		add(h, key, table_value(b->path, large ? SIZE_MASK : b->bytes));
	if (ret != 0 || !large)
		return ret;
	ret = make_room(pool, h);
	if (ret == 0)
		add(h, next_key(key), b->bytes);
	else
		remove_at(h, find(h, key));
	return ret;
}

/*
 * A region's first table, where the one below has a table that is at least half
 * full: with half as many lines.  Heaps grow upward, and are much alike.
 */
static void
begin_like(struct pool *pool, struct held *h, const struct region *below)
{
	const uintptr_t its = table_of(below);
	const unsigned bits = table_bits(its);
	struct line *table;

	if (bits < 4 || atomic_load(&pool->memory) < NEAR_FROM ||
	    __atomic_load_n(&below->used, __ATOMIC_RELAXED) * 4u <
	    TABLE_FULL << bits)
		return;
	table = pool_take(pool, bits - 1, h->id);
	if (table != NULL)
		move_to(pool, h, (uintptr_t)table | (bits - 1) |
		    (its & TABLE_NEAR << TABLE_NEAR_AT));
}

int
table_enter(struct pool *pool, struct region *r, bool is_first, uint32_t id,
    uint32_t key, const struct block *b, struct block *old)
{
	struct held h = { .r = r, .id = id };
	bool had;
	int ret;

	see(&h);
	if (h.lines == NULL && !is_first)
		begin_like(pool, &h, r - 1);
	had = h.lines != NULL && take(&h, key, old);
	ret = enter(pool, &h, key, b);
	if (h.far)
		spread(pool, &h);
	return ret == 0 ? had : ret;
}

bool
table_take(struct pool *pool, struct region *r, uint32_t id, uint32_t key,
    struct block *b)
{
	struct held h = { .r = r, .id = id };
	bool found;

	see(&h);
	found = h.lines != NULL && take(&h, key, b);
	if (h.far)
		spread(pool, &h);
	return found;
}

void
table_leave(struct pool *pool, struct region *r, uint32_t id)
{
	const uintptr_t table = table_of(r);

	atomic_store_explicit(&r->table, 0, memory_order_relaxed);
	pool_give(pool, table_lines(table), table_bits(table), id);
}
