/*
 * Context: S.  Maps memory in chunks, and divides it into tables of buckets,
 * for live_blocks.c and block_table.c; see block_pool.h.  Static functions that
 * have a pool alone as argument run under its lock.
 */
#include "heap_live/block_pool.h"

#include "base/mmap_area.h"
#include "base/robust_lock.h"
#include "base/str.h"
#include "thread/thread_slot.h"

#define CHUNK_LINES ((uint32_t)(BLOCK_POOL_CHUNK / sizeof(struct block_bucket)))

/* Maps n bytes, a power of two, at a multiple of n. */
static void *
map_aligned_memory(size_t n)
{
	char *p = mmap_area_alloc(2 * n), *at;

	if (p == NULL)
		return NULL;
	at = p + (-(uintptr_t)p & (n - 1));
	if (at != p)
		mmap_area_unmap(p, (size_t)(at - p));
	mmap_area_unmap(at + n, n - (size_t)(at - p));
	return at;
}

/*
 * Maps n bytes within the limit, in huge pages if `huge`.  A fork child does
 * not get them (MADV_DONTFORK), and begins with none.
 */
static void *
map_pool_memory(struct block_pool *t, size_t n, bool huge)
{
	uint64_t before = atomic_fetch_add(&t->memory, n);
	void *p = NULL;

	if (before + n <= t->most && !atomic_load(&mon->frozen))
		p = huge ? map_aligned_memory(n) : mmap_area_alloc(n);
	if (p == NULL)
		atomic_fetch_sub(&t->memory, n);
	else
		sys_madvise(p, n, MADV_DONTFORK);
	if (p != NULL && huge)
		sys_madvise(p, n, MADV_HUGEPAGE);
	return p;
}

void *
block_pool_map(struct block_pool *t, size_t n)
{
	return map_pool_memory(t, n, false);
}

/*
 * Maps a huge page as two chunks.  Blocks that are freed in random order are
 * each in another page, and to translate the address takes the processor longer
 * than to read the block.  Huge pages are few, so their addresses are cached
 * (C++ maps of a million blocks: an eighth of what counting costs).
 */
static struct block_bucket *
map_huge_page(struct block_pool *t)
{
	struct block_bucket *p;

	if (t->chunks < BLOCK_POOL_SMALL || t->chunks + 2 > BLOCK_POOL_CHUNKS)
		return NULL;
	p = map_pool_memory(t, 2 * BLOCK_POOL_CHUNK, true);
	if (p == NULL)
		return NULL;
	t->all[t->chunks++] = p;
	t->all[t->chunks++] = t->half = p + CHUNK_LINES;
	return p;
}

/* Maps one chunk more, or two at once.  Returns the first, or NULL. */
static struct block_bucket *
map_pool_chunk(struct block_pool *t)
{
	struct block_bucket *p = map_huge_page(t);

	if (p != NULL || t->chunks == BLOCK_POOL_CHUNKS)
		return p;
	p = block_pool_map(t, BLOCK_POOL_CHUNK);
	if (p != NULL)
		t->all[t->chunks++] = p;
	return p;
}

/*
 * Returns a chunk to take buckets from, or NULL.  Blocks signals, so that no
 * handler forks before t->all has the chunk, which says where a child needs
 * memory.
 */
static struct block_bucket *
next_pool_chunk(struct block_pool *t)
{
	struct block_bucket *p = t->half;
	sys_sigset before;

	t->half = NULL;
	if (p != NULL || atomic_load(&mon->frozen) ||
	    !block_pool_allows(t, BLOCK_POOL_CHUNK))
		return p;
	thread_slot_block_signals(&before);
	p = map_pool_chunk(t);
	thread_slot_restore_mask(&before);
	return p;
}

/*
 * Returns n buckets in a row that were never used, or NULL.  The rest of a
 * chunk that is too short stays unused.
 */
static struct block_bucket *
take_fresh_buckets(struct block_pool *t, uint32_t n)
{
	if (t->chunk == NULL || t->fresh + n > CHUNK_LINES) {
		struct block_bucket *chunk = next_pool_chunk(t);

		if (chunk == NULL)
			return NULL;
		t->chunk = chunk;
		t->fresh = 0;
	}
	t->fresh += n;
	return t->chunk + t->fresh - n;
}

/*
 * Forgets the free memory that a thread was changing when it ended or left its
 * call: it is not used any more.  The caller holds the lock.
 */
static void
reset_pool(struct block_pool *t)
{
	mem_zero(t->given, sizeof(t->given));
	t->chunk = t->half = NULL;
}

/*
 * Takes the pool's lock.  Returns false if it was not to be had now or at an
 * earlier call.
 */
static bool
lock_pool(struct block_pool *t, uint32_t id)
{
	enum robust_lock_result told;

	if (atomic_load_explicit(&t->stuck, memory_order_relaxed))
		return false;
	told = robust_lock_take(&t->lock, id);
	if (told == ROBUST_LOCK_OWNER_DEAD)
		reset_pool(t);
	if (told == ROBUST_LOCK_TIMEOUT)
		atomic_store(&t->stuck, true);
	return told != ROBUST_LOCK_TIMEOUT;
}

static void
push_free_table(struct block_pool *t, struct block_bucket *table, unsigned bits)
{
	table->keys[0] = (uintptr_t)t->given[bits];
	t->given[bits] = table;
}

/* Returns a table of that size that was given back, or NULL. */
static struct block_bucket *
pop_free_table(struct block_pool *t, unsigned bits)
{
	struct block_bucket *table = t->given[bits];

	if (table != NULL) {
		t->given[bits] = (struct block_bucket *)table->keys[0];
		table->keys[0] = 0;
	}
	return table;
}

/* Splits a larger table that was given back; keeps the rest for others. */
static struct block_bucket *
split_free_table(struct block_pool *t, unsigned bits)
{
	struct block_bucket *table = NULL;
	unsigned from = bits;

	while (table == NULL && ++from < BLOCK_POOL_SIZES)
		table = pop_free_table(t, from);
	while (table != NULL && from-- > bits)
		push_free_table(t, table + (1u << from), from);
	return table;
}

struct block_bucket *
block_pool_alloc(struct block_pool *t, unsigned bits, uint32_t id)
{
	struct block_bucket *table;

	if (!lock_pool(t, id))
		return NULL;
	table = pop_free_table(t, bits);
	if (table == NULL)
		table = take_fresh_buckets(t, 1u << bits);
	if (table == NULL)
		table = split_free_table(t, bits);
	robust_lock_drop(&t->lock);
	return table;
}

void
block_pool_free(struct block_pool *t, struct block_bucket *table, unsigned bits,
    uint32_t id)
{
	mem_zero(table, sizeof(*table) << bits);
	if (!lock_pool(t, id))
		return;		/* it stays unused */
	push_free_table(t, table, bits);
	robust_lock_drop(&t->lock);
}

void
block_pool_discard(struct block_pool *t)
{
	for (uint32_t i = 0; i < t->chunks; i++)
		sys_madvise(t->all[i], BLOCK_POOL_CHUNK, MADV_DONTNEED);
}

void
block_pool_recover(struct block_pool *t, uint32_t id)
{
	if (robust_lock_recover(&t->lock, id)) {
		reset_pool(t);
		robust_lock_drop(&t->lock);
	}
}

void
block_pool_fork_child(struct block_pool *t)
{
	for (uint32_t i = 0; i < t->chunks; i++)
		sys_memory_at(t->all[i], BLOCK_POOL_CHUNK);
	robust_lock_drop(&t->lock);
}
