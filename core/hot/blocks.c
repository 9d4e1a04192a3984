/*
 * Context: S.  The live blocks; see blocks.h.
 *
 * An address has 48 bits: 4 GiB by 4 GiB the upper ones find an array of
 * regions, made when the first block lies there, and the next ones a region in
 * it, of 64 KiB, with a table of its own: blocktable.h.
 */
#include "blocks.h"

#include "blocktable.h"
#include "lock.h"
#include "region.h"
#include "slot.h"

#define ADDRESS_BITS	48
#define SPAN_BITS	32		/* of addresses that an array holds */
#define SPANS		(1u << (ADDRESS_BITS - SPAN_BITS))
#define REGIONS		(1u << (SPAN_BITS - REGION_BITS))

struct blocks {
	_Atomic(struct region *) span[SPANS];
	unsigned generation;
	struct pool pool;
};

/* What core/arch/CPU/heap.S knows. */
_Static_assert(sizeof(struct region) == 16, "for stubs");
_Static_assert(offsetof(struct region, used) == 4, "for stubs");
_Static_assert(offsetof(struct blocks, span) == 0, "for stubs");

/*
 * What the stubs of a sample look at before they say so, core/arch/CPU/heap.S:
 * a handler may fork in between, and there are zeros in the child.
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
	struct blocks *t = region_memory(sizeof *t);

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

bool
blocks_is_full(const struct blocks *t)
{
	return !pool_allows(&t->pool, POOL_CHUNK);
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

void
blocks_discard(struct blocks *t)
{
	struct region *span;
	unsigned i;

	for (i = 0; i < SPANS; i++) {
		span = atomic_load_explicit(&t->span[i], memory_order_relaxed);
		if (span != NULL)
			sys_madvise(span, REGIONS * sizeof *span,
			    MADV_DONTNEED);
	}
	pool_discard(&t->pool);
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
	region_unmap(fresh, n);
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

/*
 * As next_chunk() of blockpool.c does: no handler forks before it is in its
 * place.
 */
static struct region *
make_region(struct blocks *t, uintptr_t at)
{
	struct region *span;
	sys_sigset before;

	if (atomic_load(&mon->frozen) ||
	    !pool_allows(&t->pool, REGIONS * sizeof *span))
		return NULL;
	slot_shut(&before);
	span = make_span(t, &t->span[at >> SPAN_BITS]);
	slot_unshut(&before);
	return region_in(span, at);
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

	s.line = table_line(s.table, key);
	__builtin_prefetch(s.line);
	return s;
}

static inline void
look(struct sight *s, const struct region *r, uint32_t key)
{
	const uintptr_t now = table_of(r);

	if (s->table != now)
		*s = (struct sight){ now, table_line(now, key) };
}

void
blocks_fetch(struct blocks *t, uintptr_t at)
{
	const struct region *r = region_of(t, at);

	if (r != NULL)
		fetch(r, table_key(at));
}

/* Nearly always: its line has room, and none of that key. */
static inline bool
enter_at_home(struct region *r, const struct sight *s, uint32_t key,
    const struct block *b)
{
	struct line *l = s->line;
	uint32_t i;

	if (s->table == 0 || table_is_full(r, s->table) ||
	    b->bytes >= SIZE_MASK)
		return false;
	i = in_line(l, 0);
	if (i == LINE || has_key(l, key))
		return false;
	set_value(l, i, table_value(b->path, b->bytes));
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

int
blocks_enter(struct blocks *t, struct blocks_user *u, uintptr_t at,
    const struct block *b, struct block *old)
{
	const uint32_t key = table_key(at);
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
		ret = table_enter(&t->pool, r, (at >> REGION_BITS &
		    (REGIONS - 1)) == 0, u->id, key, b, old);
	release(r, u);
	return ret;
}

bool
blocks_take(struct blocks *t, struct blocks_user *u, uintptr_t at,
    struct block *b)
{
	const uint32_t key = table_key(at);
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
	    table_take(&t->pool, r, u->id, key, b));
	/* Other regions need the memory once the limit is reached. */
	if (r->used == 0 && found && blocks_is_full(t))
		table_leave(&t->pool, r, u->id);
	release(r, u);
	return found;
}
