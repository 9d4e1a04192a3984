/*
 * Context: S.  Finds the region of an address, locks it, and enters or removes
 * the block, for alloc_count.c in the thread that counts, and for
 * alloc_thread.c and live_control.c; see live_blocks.h.
 *
 * An address has 48 bits.  The upper 16 choose an array of regions, of 4 GiB of
 * addresses, which is made when the first block lies there; the next 16 choose
 * a region in the array, of 64 KiB, with a table of its own: block_table.h.
 */
#include "heap_live/live_blocks.h"

#include "base/loss_count.h"
#include "base/mmap_area.h"
#include "base/robust_lock.h"
#include "heap_live/block_table.h"
#include "thread/thread_slot.h"

#define ADDRESS_BITS	48
#define SPAN_BITS	32		/* addresses of an array of regions */
#define SPANS		(1u << (ADDRESS_BITS - SPAN_BITS))
#define REGIONS		(1u << (SPAN_BITS - BLOCK_REGION_BITS))

/* The table; it is never unmapped, because another thread may be using it. */
struct live_block_table {
	_Atomic(struct block_region *) span[SPANS];
	unsigned generation;
	struct block_pool pool;
};

/* core/arch/CPU/heap.S relies on these sizes and offsets. */
_Static_assert(sizeof(struct block_region) == 16, "for stubs");
_Static_assert(offsetof(struct block_region, used) == 4, "for stubs");
_Static_assert(offsetof(struct live_block_table, span) == 0, "for stubs");

/*
 * Makes memory read as zeros in a fork child, where only some blocks are
 * counted.  The stubs in core/arch/CPU/heap.S read the table before they mark
 * the alloc_thread, and a handler may fork in between.
 */
static void
wipe_on_fork(void *p, size_t n)
{
	if (config.heap_period == 0)
		return;
	sys_madvise(p, n, MADV_DOFORK);
	sys_madvise(p, n, MADV_WIPEONFORK);
}

struct live_block_table *
live_blocks_create(uint64_t most, unsigned generation)
{
	struct live_block_table *t = mmap_area_alloc(sizeof(*t));

	if (t == NULL)
		return NULL;
	sys_madvise(t, sizeof(*t), MADV_DONTFORK);
	wipe_on_fork(t, sizeof(*t));
	t->pool.most = most;
	t->generation = generation;
	return t;
}

unsigned
live_blocks_generation(const struct live_block_table *t)
{
	return t->generation;
}

uint64_t
live_blocks_memory(const struct live_block_table *t)
{
	return atomic_load(&t->pool.memory);
}

bool
live_blocks_is_full(const struct live_block_table *t)
{
	return !block_pool_allows(&t->pool, BLOCK_POOL_CHUNK);
}

/* The advice stays, because another thread may be about to fork, too. */
void
live_blocks_fork_prepare(struct live_block_table *t)
{
	sys_madvise(t, sizeof(*t), MADV_DOFORK);
	if (config.heap_period != 0)
		sys_madvise(t, sizeof(*t), MADV_KEEPONFORK);
}

void
live_blocks_fork_child(struct live_block_table *t)
{
	struct block_region *span;

	for (unsigned i = 0; i < SPANS; i++) {
		span = atomic_load_explicit(&t->span[i], memory_order_relaxed);
		if (span != NULL)
			sys_memory_at(span, REGIONS * sizeof(*span));
	}
	block_pool_fork_child(&t->pool);
}

void
live_blocks_discard(struct live_block_table *t)
{
	struct block_region *span;

	for (unsigned i = 0; i < SPANS; i++) {
		span = atomic_load_explicit(&t->span[i], memory_order_relaxed);
		if (span != NULL)
			sys_madvise(span, REGIONS * sizeof(*span),
			    MADV_DONTNEED);
	}
	block_pool_discard(&t->pool);
}

/*
 * Makes an array of regions at *at, or returns the one that another thread has
 * made meanwhile, or NULL.  Signals are blocked.
 */
static struct block_region *
make_region_span(struct live_block_table *t, _Atomic(struct block_region *) *at)
{
	struct block_region *fresh, *none = NULL;
	const size_t n = REGIONS * sizeof(*fresh);

	fresh = block_pool_map(&t->pool, n);
	if (fresh != NULL)
		wipe_on_fork(fresh, n);
	if (fresh == NULL || atomic_compare_exchange_strong(at, &none, fresh))
		return fresh;
	mmap_area_unmap(fresh, n);
	atomic_fetch_sub(&t->pool.memory, n);
	return none;
}

static inline struct block_region *
region_in_span(struct block_region *span, uintptr_t at)
{
	return span == NULL ? NULL :
	    &span[at >> BLOCK_REGION_BITS & (REGIONS - 1)];
}

static inline struct block_region *
region_of_address(struct live_block_table *t, uintptr_t at)
{
	return at >> ADDRESS_BITS != 0 ? NULL :
	    region_in_span(atomic_load_explicit(&t->span[at >> SPAN_BITS],
	    memory_order_acquire), at);
}

/*
 * Makes the array of regions for address `at`, and returns the region.  Blocks
 * signals, as next_pool_chunk() of block_pool.c does, so that no handler forks
 * before the array is in its place.
 */
static struct block_region *
make_block_region(struct live_block_table *t, uintptr_t at)
{
	struct block_region *span;
	sys_sigset before;

	if (atomic_load(&mon->frozen) ||
	    !block_pool_allows(&t->pool, REGIONS * sizeof(*span)))
		return NULL;
	thread_slot_block_signals(&before);
	span = make_region_span(t, &t->span[at >> SPAN_BITS]);
	thread_slot_restore_mask(&before);
	return region_in_span(span, at);
}

/*
 * Gives up the blocks of a region whose holder was interrupted while it changed
 * them.
 */
static void
empty_region(struct block_region *r)
{
	atomic_store(&r->table, 0);
	r->used = 0;
}

void
live_blocks_recover(struct live_block_table *t, struct live_blocks_user *u)
{
	struct block_region *r = u->at;

	if (r != NULL && robust_lock_recover(&r->lock, u->id)) {
		empty_region(r);
		robust_lock_drop(&r->lock);
	}
	u->at = NULL;
	block_pool_recover(&t->pool, u->id);
}

/*
 * Gives up a region whose holder does not come back, and counts LOSS_HEAP_LEFT.
 * Returns false.  The lock stays taken, because the holder still may; no thread
 * uses the region any more.
 */
static __attribute__((noinline)) bool
abandon_region(struct block_region *r, struct live_blocks_user *u)
{
	atomic_store(&r->given_up, true);
	u->at = NULL;
	loss_count(LOSS_HEAP_LEFT, 1);
	return false;
}

/*
 * Locks the region for user u, whose `at` it sets.  Returns false, and counts
 * LOSS_HEAP_LEFT, if the region has been given up, now or before.  If its
 * holder has ended, counts that loss, too, and empties the region.
 */
static inline bool
lock_region(struct block_region *r, struct live_blocks_user *u)
{
	enum robust_lock_result result;

	u->at = r;
	if (atomic_load_explicit(&r->given_up, memory_order_relaxed))
		return abandon_region(r, u);
	result = robust_lock_take(&r->lock, u->id);
	if (result == ROBUST_LOCK_TIMEOUT)
		return abandon_region(r, u);
	if (result == ROBUST_LOCK_OWNER_DEAD) {
		empty_region(r);
		loss_count(LOSS_HEAP_LEFT, 1);
	}
	return true;
}

static inline void
unlock_region(struct block_region *r, struct live_blocks_user *u)
{
	robust_lock_drop(&r->lock);
	u->at = NULL;
}

/* The bucket of a block, as read before the region's lock is taken. */
struct bucket_ref {
	uintptr_t table;
	struct block_bucket *line;
};

/*
 * Prefetches the bucket, so that it is on its way while the lock is taken,
 * which no later load passes by.
 */
static inline struct bucket_ref
prefetch_bucket(const struct block_region *r, uint32_t key)
{
	struct bucket_ref s = { block_table_of(r), NULL };

	s.line = block_table_bucket(s.table, key);
	__builtin_prefetch(s.line);
	return s;
}

static inline void
refresh_bucket_ref(struct bucket_ref *s, const struct block_region *r,
    uint32_t key)
{
	const uintptr_t now = block_table_of(r);

	if (s->table != now)
		*s = (struct bucket_ref){ now, block_table_bucket(now, key) };
}

void
live_blocks_prefetch(struct live_block_table *t, uintptr_t at)
{
	const struct block_region *r = region_of_address(t, at);

	if (r != NULL)
		prefetch_bucket(r, block_table_key(at));
}

/*
 * Enters a block into its own bucket.  Succeeds nearly always: the bucket has
 * room, and does not have the key.
 */
static inline bool
insert_at_home(struct block_region *r, const struct bucket_ref *s, uint32_t key,
    const struct live_block *b)
{
	struct block_bucket *l = s->line;
	uint32_t i;

	if (s->table == 0 || block_table_is_full(r, s->table) ||
	    b->bytes >= BLOCK_SIZE_MASK || (key & 2) != 0)
		return false;
	i = block_bucket_find(l, 0);
	if (i == BLOCK_BUCKET_SLOTS || block_bucket_has_key(l, key))
		return false;
	block_bucket_set_value(l, i, block_table_value(b->path, b->bytes));
	block_bucket_set_key(l, i, key);
	r->used++;
	return true;
}

/*
 * Takes a block out of its own bucket.  Succeeds nearly always: the block is
 * there, and the bucket was never too full for another block.
 */
static inline bool
remove_at_home(struct block_region *r, const struct bucket_ref *s, uint32_t key,
    struct live_block *b)
{
	struct block_bucket *l = s->line;
	const uint32_t i = block_bucket_find(l, key);
	uint64_t value;

	if (i == BLOCK_BUCKET_SLOTS || !block_bucket_has_room(l) ||
	    (key & 2) != 0)
		return false;
	value = block_bucket_value(l, i);
	b->path = (uint32_t)value & BLOCK_PATH_MASK;
	b->bytes = value >> BLOCK_PATH_BITS;
	if (b->bytes == BLOCK_SIZE_MASK)
		return false;
	block_bucket_set_key(l, i, 0);
	r->used--;
	return true;
}

int
live_blocks_insert(struct live_block_table *t, struct live_blocks_user *u,
    uintptr_t at, const struct live_block *b, struct live_block *old)
{
	const uint32_t key = block_table_key(at);
	struct block_region *r;
	struct bucket_ref s;
	int ret = 0;

	if (b->path >= LIVE_BLOCKS_PATHS || b->bytes >> BLOCK_VALUE_BITS != 0 ||
	    at >> ADDRESS_BITS != 0 ||
	    (b->bytes >= BLOCK_SIZE_MASK && (key & 2) != 0))
		return -ERANGE;
	r = region_of_address(t, at);
	if (r == NULL)
		r = make_block_region(t, at);
	if (r == NULL)
		return -ENOMEM;
	s = prefetch_bucket(r, key);
	if (!lock_region(r, u))
		return -EBUSY;
	refresh_bucket_ref(&s, r, key);
	if (!insert_at_home(r, &s, key, b))
		ret = block_table_insert(&t->pool, r, (at >> BLOCK_REGION_BITS &
		    (REGIONS - 1)) == 0, u->id, key, b, old);
	unlock_region(r, u);
	return ret;
}

/*
 * Gives the memory of an empty region's table back to the pool.  The caller
 * holds the region's lock as number `id`.
 */
static void
release_region_table(struct block_pool *pool, struct block_region *r,
    uint32_t id)
{
	const uintptr_t table = block_table_of(r);

	atomic_store_explicit(&r->table, 0, memory_order_relaxed);
	block_pool_free(pool, block_table_base(table), block_table_bits(table),
	    id);
}

bool
live_blocks_remove(struct live_block_table *t, struct live_blocks_user *u,
    uintptr_t at, struct live_block *b)
{
	const uint32_t key = block_table_key(at);
	struct block_region *r = region_of_address(t, at);
	struct bucket_ref s;
	bool found;

	if (r == NULL || block_table_of(r) == 0)
		return false;
	s = prefetch_bucket(r, key);
	if (!lock_region(r, u))
		return false;
	refresh_bucket_ref(&s, r, key);
	found = s.table != 0 && (remove_at_home(r, &s, key, b) ||
	    block_table_remove(&t->pool, r, u->id, key, b));
	/* Other regions need the memory once the limit is reached. */
	if (r->used == 0 && found && live_blocks_is_full(t))
		release_region_table(&t->pool, r, u->id);
	unlock_region(r, u);
	return found;
}
