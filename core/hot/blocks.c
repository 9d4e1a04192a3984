/*
 * Context: S.  The live blocks; see blocks.h.
 *
 * An address has 48 bits: 4 GiB by 4 GiB the upper ones find an array of
 * regions, made when the first block lies there, and the next ones a region in
 * it, of 64 KiB.  A region has a hash table of its own, with linear probing, of
 * words that say all of a block.
 */
#include "blocks.h"

#include "config.h"

#define ADDRESS_BITS	48
#define SPAN_BITS	32		/* of addresses that an array holds */
#define REGION_BITS	16
#define GRAIN_BITS	3		/* blocks lie 8 bytes apart or more */
#define SPANS		(1u << (ADDRESS_BITS - SPAN_BITS))
#define REGIONS		(1u << (SPAN_BITS - REGION_BITS))

/* A word: where in its region, whose, how large.  0: free. */
#define PLACE_BITS	(REGION_BITS - GRAIN_BITS)
#define PATH_BITS	29
#define SIZE_BITS	22
#define PLACE_MASK	((1u << PLACE_BITS) - 1)
#define PATH_MASK	((1u << PATH_BITS) - 1)
#define SIZE_MASK	((1u << SIZE_BITS) - 1)	/* that: the word at the odd
						   place beside it has it */

/* Tables are of 2^n words, taken from chunks in units of the smallest. */
#define TABLE_FIRST	3
#define TABLE_LAST	PLACE_BITS
#define CHUNK_BITS	20		/* below a huge page: what is not touched
					   is not there */
#define UNIT_BITS	(TABLE_FIRST + 3)
#define CHUNK_UNITS	(1u << (CHUNK_BITS - UNIT_BITS))
#define CHUNKS		8192u

/* Full so far, in 16ths: 15 probes on the average for what is not there. */
#define FULL		13u

#define SPINS		100u
#define YIELDS		10000u		/* 10 ms at the least */

struct region {
	_Atomic uint32_t lock;
	uint32_t table;			/* unit of a chunk; 0 none */
	uint16_t used;
	uint8_t bits;
	uint8_t pad[5];
};

struct blocks {
	_Atomic(struct region *) span[SPANS];
	_Atomic uint64_t memory;
	uint64_t most;

	_Atomic uint32_t lock;		/* of all below */
	uint32_t chunks;
	uint32_t fresh;			/* first unit that was never used */
	uint32_t given[TABLE_LAST + 1];	/* lists of tables given back */
	char *chunk[CHUNKS];
};

_Static_assert(PLACE_BITS + PATH_BITS + SIZE_BITS == 64, "one word");
_Static_assert(BLOCKS_PATHS == 1u << PATH_BITS, "one word");
_Static_assert(sizeof(struct region) == 16, "a region");

/*
 * Who holds one does so for less than a microsecond, if it has a processor.  It
 * may have none; or have left by siglongjmp() from a signal's handler.
 */
static bool
take_lock(_Atomic uint32_t *lock)
{
	unsigned i;

	for (i = 0; i < SPINS + YIELDS; i++) {
		if (atomic_load_explicit(lock, memory_order_relaxed) == 0 &&
		    atomic_exchange_explicit(lock, 1, memory_order_acquire) ==
		    0)
			return true;
		if (i < SPINS || atomic_load(&mon->frozen))
			arch_pause();
		else
			SYS(sched_yield, 0, 0, 0, 0, 0, 0);
	}
	return false;
}

static void
drop_lock(_Atomic uint32_t *lock)
{
	atomic_store_explicit(lock, 0, memory_order_release);
}

/* Of its own: a fork child has nothing there, and begins with none. */
static void *
take_memory(struct blocks *t, size_t n)
{
	uint64_t before = atomic_fetch_add(&t->memory, n);
	void *p = NULL;

	if (before + n <= t->most && !atomic_load(&mon->frozen))
		p = sys_memory(n);
	if (p == NULL)
		atomic_fetch_sub(&t->memory, n);
	else
		sys_madvise(p, n, MADV_DONTFORK);
	return p;
}

struct blocks *
blocks_make(uint64_t most)
{
	struct blocks *t = sys_memory(sizeof *t);

	if (t == NULL)
		return NULL;
	sys_madvise(t, sizeof *t, MADV_DONTFORK);
	t->most = most;
	return t;
}

uint64_t
blocks_memory(const struct blocks *t)
{
	return atomic_load(&t->memory);
}

static uint64_t *
table_at(const struct blocks *t, uint32_t unit)
{
	return (uint64_t *)(t->chunk[unit / CHUNK_UNITS] +
	    ((size_t)(unit % CHUNK_UNITS) << UNIT_BITS));
}

/* Units in a row that were never used; of what a chunk has left, none. */
static uint32_t
fresh_units(struct blocks *t, uint32_t n)
{
	uint32_t unit = t->fresh;

	if (t->chunks == 0 || unit % CHUNK_UNITS == 0 ||
	    unit % CHUNK_UNITS + n > CHUNK_UNITS) {
		if (t->chunks == CHUNKS)
			return 0;
		t->chunk[t->chunks] = take_memory(t, 1u << CHUNK_BITS);
		if (t->chunk[t->chunks] == NULL)
			return 0;
		unit = t->chunks++ * CHUNK_UNITS;
		unit += unit == 0;	/* 0 is none */
	}
	t->fresh = unit + n;
	return unit;
}

/* All zero. */
static uint32_t
take_table(struct blocks *t, unsigned bits)
{
	uint32_t unit;
	uint64_t *words;

	if (!take_lock(&t->lock))
		return 0;
	unit = t->given[bits];
	if (unit != 0) {
		words = table_at(t, unit);
		t->given[bits] = (uint32_t)words[0];
		words[0] = 0;
	} else {
		unit = fresh_units(t, 1u << (bits - TABLE_FIRST));
	}
	drop_lock(&t->lock);
	return unit;
}

static void
give_table(struct blocks *t, uint32_t unit, unsigned bits)
{
	uint64_t *words = table_at(t, unit);
	size_t i;

	for (i = 0; i < (size_t)1 << bits; i++)
		words[i] = 0;
	if (!take_lock(&t->lock))
		return;		/* it stays unused */
	words[0] = t->given[bits];
	t->given[bits] = unit;
	drop_lock(&t->lock);
}

static struct region *
make_span(struct blocks *t, _Atomic(struct region *) *at)
{
	struct region *fresh, *none = NULL;
	const size_t n = REGIONS * sizeof *fresh;

	fresh = take_memory(t, n);
	if (fresh == NULL || atomic_compare_exchange_strong(at, &none, fresh))
		return fresh;
	sys_munmap(fresh, n);
	atomic_fetch_sub(&t->memory, n);
	return none;
}

static struct region *
region_of(struct blocks *t, uintptr_t at, bool make)
{
	_Atomic(struct region *) *span;
	struct region *r;

	if (at >> ADDRESS_BITS != 0)
		return NULL;
	span = &t->span[at >> SPAN_BITS];
	r = atomic_load_explicit(span, memory_order_acquire);
	if (r == NULL && make)
		r = make_span(t, span);
	return r == NULL ? NULL : &r[at >> REGION_BITS & (REGIONS - 1)];
}

static inline uint32_t
place_of(uintptr_t at)
{
	return (uint32_t)(at >> GRAIN_BITS) & PLACE_MASK;
}

static inline uint32_t
place_in(uint64_t word)
{
	return (uint32_t)word & PLACE_MASK;
}

static inline uint64_t
word_of(uint32_t place, uint32_t path, uint64_t bytes)
{
	return place | (uint64_t)path << PLACE_BITS |
	    bytes << (PLACE_BITS + PATH_BITS);
}

static inline uint32_t
home(uint32_t place, unsigned bits)
{
	return (place * 0x9e3779b1u) >> (32 - bits);
}

/* A region that is held, and its words. */
struct held {
	struct region *r;
	uint64_t *words;
	uint32_t mask;
};

/* Where the word of that place is, or the first free one. */
static uint32_t
find(const struct held *h, uint32_t place)
{
	uint32_t i = home(place, h->r->bits);

	while (h->words[i] != 0 && place_in(h->words[i]) != place)
		i = (i + 1) & h->mask;
	return i;
}

static void
see(const struct blocks *t, struct held *h)
{
	h->words = table_at(t, h->r->table);
	h->mask = (1u << h->r->bits) - 1;
}

static void
copy_words(struct held *to, const struct held *from)
{
	uint32_t i;

	for (i = 0; i <= from->mask; i++)
		if (from->words[i] != 0)
			to->words[find(to, place_in(from->words[i]))] =
			    from->words[i];
}

/* Room for one word more, and one that stays free.  0 or -ENOMEM. */
static int
make_room(struct blocks *t, struct held *h)
{
	struct region *r = h->r, before = *r;
	struct held old = { &before, h->words, h->mask };
	const unsigned bits = r->table == 0 ? TABLE_FIRST : r->bits + 1u;
	uint32_t unit;

	if (r->table != 0 && ((r->used + 1u) * 16 <= FULL << r->bits ||
	    (r->bits == TABLE_LAST && r->used + 1u <= h->mask)))
		return 0;
	unit = bits > TABLE_LAST ? 0 : take_table(t, bits);
	if (unit == 0)
		return r->table != 0 && r->used + 1u <= h->mask ? 0 : -ENOMEM;
	r->table = unit;
	r->bits = (uint8_t)bits;
	see(t, h);
	if (before.table != 0) {
		copy_words(h, &old);
		give_table(t, before.table, before.bits);
	}
	return 0;
}

/* What was behind it by probing moves up. */
static void
remove_at(struct held *h, uint32_t i)
{
	uint32_t j = i;

	for (;;) {
		j = (j + 1) & h->mask;
		if (h->words[j] == 0)
			break;
		if (((j - home(place_in(h->words[j]), h->r->bits)) & h->mask) <
		    ((j - i) & h->mask))
			continue;
		h->words[i] = h->words[j];
		i = j;
	}
	h->words[i] = 0;
	h->r->used--;
}

static bool
remove(struct held *h, uint32_t place, uint64_t *word)
{
	uint32_t i = find(h, place);

	*word = h->words[i];
	if (*word == 0)
		return false;
	remove_at(h, i);
	return true;
}

static bool
take(struct held *h, uint32_t place, struct block *b)
{
	uint64_t word, more;

	if (!remove(h, place, &word))
		return false;
	b->path = (uint32_t)(word >> PLACE_BITS) & PATH_MASK;
	b->bytes = word >> (PLACE_BITS + PATH_BITS);
	if (b->bytes == SIZE_MASK && remove(h, place | 1, &more))
		b->bytes = more >> PLACE_BITS;
	return true;
}

static void
put(struct held *h, uint32_t place, uint64_t word)
{
	h->words[find(h, place)] = word;
	h->r->used++;
}

/* One of 4 MiB and more has two words. */
static int
enter(struct blocks *t, struct held *h, uint32_t place, const struct block *b)
{
	const bool large = b->bytes >= SIZE_MASK;
	int ret = make_room(t, h);

	if (ret == 0)
		put(h, place, word_of(place, b->path, large ? SIZE_MASK :
		    b->bytes));
	if (ret != 0 || !large)
		return ret;
	ret = make_room(t, h);
	if (ret == 0)
		put(h, place | 1, (place | 1) | b->bytes << PLACE_BITS);
	else
		remove_at(h, find(h, place));
	return ret;
}

/* Whoever holds it is not coming back: all that it had is given up. */
static void
give_up(struct region *r)
{
	r->table = 0;
	r->used = 0;
	r->bits = 0;
	drop_lock(&r->lock);
}

static bool
hold(struct blocks *t, struct region *r, struct held *h)
{
	if (!take_lock(&r->lock)) {
		give_up(r);
		return false;
	}
	h->r = r;
	h->words = NULL;
	h->mask = 0;
	if (r->table != 0)
		see(t, h);
	return true;
}

int
blocks_enter(struct blocks *t, uintptr_t at, const struct block *b,
    struct block *old)
{
	const uint32_t place = place_of(at);
	struct region *r;
	struct held h;
	bool had;
	int ret;

	if (b->path >= BLOCKS_PATHS || b->bytes >> (64 - PLACE_BITS) != 0 ||
	    at >> ADDRESS_BITS != 0 ||
	    (b->bytes >= SIZE_MASK && place % 2 != 0))
		return -ERANGE;
	r = region_of(t, at, true);
	if (r == NULL)
		return -ENOMEM;
	if (!hold(t, r, &h))
		return -EBUSY;
	had = h.words != NULL && take(&h, place, old);
	ret = enter(t, &h, place, b);
	drop_lock(&r->lock);
	return ret == 0 ? had : ret;
}

bool
blocks_take(struct blocks *t, uintptr_t at, struct block *b)
{
	struct region *r = region_of(t, at, false);
	struct held h;
	bool found;

	if (r == NULL || r->table == 0 || !hold(t, r, &h))
		return false;
	found = h.words != NULL && take(&h, place_of(at), b);
	drop_lock(&r->lock);
	return found;
}
