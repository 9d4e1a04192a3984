/*
 * Context: S.  The live blocks; see blocks.h.
 *
 * An address has 48 bits: 4 GiB by 4 GiB the upper ones find an array of
 * regions, made when the first block lies there, and the next ones a region in
 * it, of 64 KiB.  A region has a hash table of its own, of lines of eight blocks.
 * A block is in the line of its hash, or, if that is full, in the next: a line
 * that is not full has none elsewhere, so that most looks are at one.  In a large
 * table neighbours have the same hash, as they mostly end together.
 */
#include "blocks.h"

#include "blockpool.h"
#include "lock.h"

#define ADDRESS_BITS	48
#define SPAN_BITS	32		/* of addresses that an array holds */
#define REGION_BITS	16
#define GRAIN_BITS	3		/* blocks lie 8 bytes apart or more */
#define SPANS		(1u << (ADDRESS_BITS - SPAN_BITS))
#define REGIONS		(1u << (SPAN_BITS - REGION_BITS))

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

/* Of 2^8 lines and more: mostly its region is full by then.  If it is crowded in a
 * part, spread() sees to it. */
#define TABLE_ORDERED	(TABLE_NEAR << TABLE_NEAR_AT | 8)
#define CROWDED		12u	/* in 512 bytes */

/* From so much memory on the tables are in no near cache.  The first array has 1
 * MiB, and mostly there are two. */
#define NEAR_FROM	((uint64_t)4 << 20)

/* Full lines that a look may pass by; as many as a hole is filled from. */
#define FAR		8u

/* Full so far, in 16ths of 8: one line of ten has no room left. */
#define FULL		11u

struct region {
	_Atomic uint32_t lock;
	uint16_t used;
	_Atomic bool given_up;		/* its holder did not come back */
	_Atomic uintptr_t table;	/* 0 none */
};

struct blocks {
	_Atomic(struct region *) span[SPANS];
	unsigned generation;
	struct pool pool;
};

_Static_assert(PATH_BITS + SIZE_BITS == VALUE_BITS, "a value");
_Static_assert(TABLE_LAST < POOL_SIZES, "tables");
_Static_assert(TABLE_LAST <= TABLE_BITS, "a word");
_Static_assert(TABLE_NEAR << TABLE_NEAR_AT < sizeof(struct line), "a word");
_Static_assert(BLOCKS_PATHS == 1u << PATH_BITS, "a value");
/* What core/arch/CPU/heap.S knows. */
_Static_assert(sizeof(struct region) == 16, "for stubs");
_Static_assert(offsetof(struct region, used) == 4, "for stubs");
_Static_assert(offsetof(struct blocks, span) == 0, "for stubs");

/*
 * What the stubs of a sample look at before they say so, core/arch/CPU/heap.S: a
 * handler may fork in between, and there are zeros in the child.
 */
static void
wipe_in_child(void *p, size_t n)
{
	if (config.heap_period == 0)
		return;
	sys_madvise(p, n, MADV_DOFORK);
	sys_madvise(p, n, MADV_WIPEONFORK);
}

struct blocks *
blocks_make(uint64_t most, unsigned generation)
{
	struct blocks *t = sys_memory(sizeof *t);

	if (t == NULL)
		return NULL;
	sys_madvise(t, sizeof *t, MADV_DONTFORK);
	wipe_in_child(t, sizeof *t);
	t->pool.most = most;
	t->generation = generation;
	return t;
}

unsigned
blocks_generation(const struct blocks *t)
{
	return t->generation;
}

uint64_t
blocks_memory(const struct blocks *t)
{
	return atomic_load(&t->pool.memory);
}

/* For good: another thread may be about to fork, too. */
void
blocks_keep(struct blocks *t)
{
	sys_madvise(t, sizeof *t, MADV_DOFORK);
	if (config.heap_period != 0)
		sys_madvise(t, sizeof *t, MADV_KEEPONFORK);
}

void
blocks_empty(struct blocks *t)
{
	struct region *span;
	unsigned i;

	for (i = 0; i < SPANS; i++) {
		span = atomic_load_explicit(&t->span[i], memory_order_relaxed);
		if (span != NULL)
			sys_memory_at(span, REGIONS * sizeof *span);
	}
	pool_empty(&t->pool);
}

static struct region *
make_span(struct blocks *t, _Atomic(struct region *) *at)
{
	struct region *fresh, *none = NULL;
	const size_t n = REGIONS * sizeof *fresh;

	fresh = pool_memory(&t->pool, n);
	if (fresh != NULL)
		wipe_in_child(fresh, n);
	if (fresh == NULL || atomic_compare_exchange_strong(at, &none, fresh))
		return fresh;
	sys_munmap(fresh, n);
	atomic_fetch_sub(&t->pool.memory, n);
	return none;
}

static inline struct region *
region_in(struct region *span, uintptr_t at)
{
	return span == NULL ? NULL : &span[at >> REGION_BITS & (REGIONS - 1)];
}

static inline struct region *
region_of(struct blocks *t, uintptr_t at)
{
	return at >> ADDRESS_BITS != 0 ? NULL :
	    region_in(atomic_load_explicit(&t->span[at >> SPAN_BITS],
	    memory_order_acquire), at);
}

static struct region *
make_region(struct blocks *t, uintptr_t at)
{
	return region_in(make_span(t, &t->span[at >> SPAN_BITS]), at);
}

static inline uint32_t
key_of(uintptr_t at)
{
	return ((uint32_t)(at >> GRAIN_BITS) << 1 & KEY_MASK) | 1;
}

/* Of the next grain, where no block begins if a large one does at this. */
static inline uint32_t
next_key(uint32_t key)
{
	return key ^ 2;
}

static inline uint64_t
value_of(uint32_t path, uint64_t bytes)
{
	return path | bytes << PATH_BITS;
}

static inline uintptr_t
table_of(const struct region *r)
{
	return atomic_load_explicit(&r->table, memory_order_relaxed);
}

static inline struct line *
lines_in(uintptr_t table)
{
	return (struct line *)(table & -sizeof(struct line));
}

static inline unsigned
bits_in(uintptr_t table)
{
	return (unsigned)(table & TABLE_BITS);
}

/*
 * Neighbours have one number.  Numbers in a row, and at any stride, lie evenly by
 * their upper bits, times the golden ratio.  Where lines are in the order of
 * addresses, the next is on its way to the cache, too.
 */
static inline uint32_t
home_in(uintptr_t table, uint32_t key)
{
	const unsigned near = table >> TABLE_NEAR_AT & TABLE_NEAR;
	const uint32_t hash = (key >> 1 >> 2 * near) * 0x9e3779b1u;

	if ((table & TABLE_ORDERED) == TABLE_ORDERED)
		return key >> 1 >> (PLACE_BITS - bits_in(table));
	return (uint32_t)((uint64_t)hash >> (32 - bits_in(table)));
}

static inline struct line *
line_in(uintptr_t table, uint32_t key)
{
	return &lines_in(table)[home_in(table, key)];
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
	h->lines = lines_in(h->table);
	h->mask = (1u << bits_in(h->table)) - 1;
}

static inline uint32_t
home(const struct held *h, uint32_t key)
{
	return home_in(h->table, key);
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
move_to(struct blocks *t, struct held *h, uintptr_t table)
{
	const struct held old = *h;

	atomic_store_explicit(&h->r->table, table, memory_order_relaxed);
	see(h);
	h->far = false;
	if (old.lines == NULL)
		return;
	copy_blocks(h, &old);
	pool_give(&t->pool, old.lines, bits_in(old.table), h->id);
}

/*
 * Where neighbours crowd after all, as what a region has is other than when its
 * table grew, or in a part of it only: each block has its own line.
 */
static __attribute__((noinline)) void
spread(struct blocks *t, struct held *h)
{
	const unsigned bits = bits_in(h->table);
	struct line *table;

	if ((h->table & TABLE_NEAR << TABLE_NEAR_AT) == 0)
		return;
	table = pool_take(&t->pool, bits, h->id);
	if (table != NULL)
		move_to(t, h, (uintptr_t)table | bits);
}

static inline bool
is_full(const struct region *r, uintptr_t table)
{
	return (r->used + 1u) * 2 > FULL << bits_in(table);
}

/* How many lie within 512 bytes, where there are any. */
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
nearness(const struct blocks *t, const struct held *h)
{
	uintptr_t near = TABLE_NEAR;
	uint32_t n;

	if (h->lines == NULL || blocks_memory(t) < NEAR_FROM)
		return 0;
	for (n = crowd(h); n > CROWDED && near > 0; n /= 4)
		near--;
	return near << TABLE_NEAR_AT;
}

/* Room for one block more, and one that stays free.  0 or -ENOMEM. */
static int
make_room(struct blocks *t, struct held *h)
{
	const unsigned before = bits_in(h->table), bits = h->lines == NULL ?
	    0 : before + 1;
	const bool fits = h->lines != NULL && h->r->used + 1u < LINE << before;
	struct line *table;

	if (fits && (!is_full(h->r, h->table) || before == TABLE_LAST))
		return 0;
	table = bits > TABLE_LAST ? NULL : pool_take(&t->pool, bits, h->id);
	if (table == NULL)
		return fits ? 0 : -ENOMEM;
	move_to(t, h, (uintptr_t)table | bits | nearness(t, h));
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
enter(struct blocks *t, struct held *h, uint32_t key, const struct block *b)
{
	const bool large = b->bytes >= SIZE_MASK;
	int ret = make_room(t, h);

	if (ret == 0)
		add(h, key, value_of(b->path, large ? SIZE_MASK : b->bytes));
	if (ret != 0 || !large)
		return ret;
	ret = make_room(t, h);
	if (ret == 0)
		add(h, next_key(key), b->bytes);
	else
		remove_at(h, find(h, key));
	return ret;
}

/* Whoever held it was interrupted in the midst: what it had is given up. */
static void
empty(struct region *r)
{
	atomic_store(&r->table, 0);
	r->used = 0;
}

void
blocks_left(struct blocks *t, struct blocks_user *u)
{
	struct region *r = u->at;

	if (r != NULL && lock_take_left(&r->lock, u->id)) {
		empty(r);
		lock_drop(&r->lock);
	}
	u->at = NULL;
	pool_left(&t->pool, u->id);
}

/*
 * What somebody holds who does not come back is left to him, as he may yet: the
 * region is not looked at any more.
 */
static __attribute__((noinline)) bool
shun(struct region *r, struct blocks_user *u)
{
	atomic_store(&r->given_up, true);
	u->at = NULL;
	loss_count(LOSS_HEAP_LEFT, 1);
	return false;
}

static inline bool
hold(struct region *r, struct blocks_user *u)
{
	enum lock_told told;

	u->at = r;
	if (atomic_load_explicit(&r->given_up, memory_order_relaxed))
		return shun(r, u);
	told = lock_take(&r->lock, u->id);
	if (told == LOCK_NOT)
		return shun(r, u);
	if (told == LOCK_LEFT) {
		empty(r);
		loss_count(LOSS_HEAP_LEFT, 1);
	}
	return true;
}

static inline void
release(struct region *r, struct blocks_user *u)
{
	lock_drop(&r->lock);
	u->at = NULL;
}

/* A block's line, as its region says before it is held. */
struct sight {
	uintptr_t table;
	struct line *line;
};

/* It is on the way while the lock is taken, which nothing passes by. */
static inline struct sight
fetch(const struct region *r, uint32_t key)
{
	struct sight s = { table_of(r), NULL };

	s.line = line_in(s.table, key);
	__builtin_prefetch(s.line);
	return s;
}

static inline void
look(struct sight *s, const struct region *r, uint32_t key)
{
	const uintptr_t now = table_of(r);

	if (s->table != now)
		*s = (struct sight){ now, line_in(now, key) };
}

void
blocks_fetch(struct blocks *t, uintptr_t at)
{
	const struct region *r = region_of(t, at);

	if (r != NULL)
		fetch(r, key_of(at));
}

/* Nearly always: its line has room, and none of that key. */
static inline bool
enter_at_home(struct region *r, const struct sight *s, uint32_t key,
    const struct block *b)
{
	struct line *l = s->line;
	uint32_t i;

	if (s->table == 0 || is_full(r, s->table) || b->bytes >= SIZE_MASK)
		return false;
	i = in_line(l, 0);
	if (i == LINE || has_key(l, key))
		return false;
	set_value(l, i, value_of(b->path, b->bytes));
	set_key(l, i, key);
	r->used++;
	return true;
}

/* The same: it is there, and nothing had to pass it by. */
static inline bool
take_at_home(struct region *r, const struct sight *s, uint32_t key,
    struct block *b)
{
	struct line *l = s->line;
	const uint32_t i = in_line(l, key);
	uint64_t value;

	if (i == LINE || !has_room(l))
		return false;
	value = value_in(l, i);
	b->path = (uint32_t)value & PATH_MASK;
	b->bytes = value >> PATH_BITS;
	if (b->bytes == SIZE_MASK)
		return false;
	set_key(l, i, 0);
	r->used--;
	return true;
}

static __attribute__((noinline)) int
enter_anew(struct blocks *t, struct region *r, uint32_t id, uint32_t key,
    const struct block *b, struct block *old)
{
	struct held h = { .r = r, .id = id };
	bool had;
	int ret;

	see(&h);
	had = h.lines != NULL && take(&h, key, old);
	ret = enter(t, &h, key, b);
	if (h.far)
		spread(t, &h);
	return ret == 0 ? had : ret;
}

static __attribute__((noinline)) bool
take_anew(struct blocks *t, struct region *r, uint32_t id, uint32_t key,
    struct block *b)
{
	struct held h = { .r = r, .id = id };
	bool found;

	see(&h);
	found = h.lines != NULL && take(&h, key, b);
	if (h.far)
		spread(t, &h);
	return found;
}

int
blocks_enter(struct blocks *t, struct blocks_user *u, uintptr_t at,
    const struct block *b, struct block *old)
{
	const uint32_t key = key_of(at);
	struct region *r;
	struct sight s;
	int ret = 0;

	if (b->path >= BLOCKS_PATHS || b->bytes >> VALUE_BITS != 0 ||
	    at >> ADDRESS_BITS != 0 ||
	    (b->bytes >= SIZE_MASK && (key & 2) != 0))
		return -ERANGE;
	r = region_of(t, at);
	if (r == NULL)
		r = make_region(t, at);
	if (r == NULL)
		return -ENOMEM;
	s = fetch(r, key);
	if (!hold(r, u))
		return -EBUSY;
	look(&s, r, key);
	if (!enter_at_home(r, &s, key, b))
		ret = enter_anew(t, r, u->id, key, b, old);
	release(r, u);
	return ret;
}

bool
blocks_take(struct blocks *t, struct blocks_user *u, uintptr_t at,
    struct block *b)
{
	const uint32_t key = key_of(at);
	struct region *r = region_of(t, at);
	struct sight s;
	bool found;

	if (r == NULL || table_of(r) == 0)
		return false;
	s = fetch(r, key);
	if (!hold(r, u))
		return false;
	look(&s, r, key);
	found = s.table != 0 && (take_at_home(r, &s, key, b) ||
	    take_anew(t, r, u->id, key, b));
	release(r, u);
	return found;
}
