/* Context: S.  Memory for tables of blocks; see blockpool.h. */
#include "blockpool.h"

#include "lock.h"
#include "region.h"
#include "slot.h"
#include "str.h"

#define CHUNK_LINES	((uint32_t)(POOL_CHUNK / sizeof(struct line)))

/* At a multiple of n, a power of two. */
static void *
memory_at_multiple(size_t n)
{
	char *p = region_memory(2 * n), *at;

	if (p == NULL)
		return NULL;
	at = p + (-(uintptr_t)p & (n - 1));
	if (at != p)
		region_unmap(p, (size_t)(at - p));
	region_unmap(at + n, n - (size_t)(at - p));
	return at;
}

/* Of its own: a fork child has nothing there, and begins with none. */
static void *
own_memory(struct pool *t, size_t n, bool huge)
{
	uint64_t before = atomic_fetch_add(&t->memory, n);
	void *p = NULL;

	if (before + n <= t->most && !atomic_load(&mon->frozen))
		p = huge ? memory_at_multiple(n) : region_memory(n);
	if (p == NULL)
		atomic_fetch_sub(&t->memory, n);
	else
		sys_madvise(p, n, MADV_DONTFORK);
	if (p != NULL && huge)
		sys_madvise(p, n, MADV_HUGEPAGE);
	return p;
}

void *
pool_memory(struct pool *t, size_t n)
{
	return own_memory(t, n, false);
}

/*
 * Blocks that are freed in no order are each in another page, and to find that
 * takes the processor longer than to read it.  Of huge ones there are few (C++
 * maps of a million blocks: an eighth of what counting costs).
 */
static struct line *
huge_page(struct pool *t)
{
	struct line *p;

	if (t->chunks < POOL_SMALL || t->chunks + 2 > POOL_CHUNKS)
		return NULL;
	p = own_memory(t, 2 * POOL_CHUNK, true);
	if (p == NULL)
		return NULL;
	t->all[t->chunks++] = p;
	t->all[t->chunks++] = t->half = p + CHUNK_LINES;
	return p;
}

static struct line *
new_chunk(struct pool *t)
{
	struct line *p = huge_page(t);

	if (p != NULL || t->chunks == POOL_CHUNKS)
		return p;
	p = pool_memory(t, POOL_CHUNK);
	if (p != NULL)
		t->all[t->chunks++] = p;
	return p;
}

/*
 * No handler forks before it is known where there is to be something in the
 * child.
 */
static struct line *
next_chunk(struct pool *t)
{
	struct line *p = t->half;
	sys_sigset before;

	t->half = NULL;
	if (p != NULL || atomic_load(&mon->frozen) ||
	    !pool_allows(t, POOL_CHUNK))
		return p;
	slot_shut(&before);
	p = new_chunk(t);
	slot_unshut(&before);
	return p;
}

/* Lines in a row that were never used; of what a chunk has left, none. */
static struct line *
fresh_lines(struct pool *t, uint32_t n)
{
	if (t->chunk == NULL || t->fresh + n > CHUNK_LINES) {
		struct line *chunk = next_chunk(t);

		if (chunk == NULL)
			return NULL;
		t->chunk = chunk;
		t->fresh = 0;
	}
	t->fresh += n;
	return t->chunk + t->fresh - n;
}

/* What a thread left that is gone is not used any more. */
static void
begin_anew(struct pool *t)
{
	mem_zero(t->given, sizeof t->given);
	t->chunk = t->half = NULL;
}

static bool
hold(struct pool *t, uint32_t id)
{
	enum lock_told told;

	if (atomic_load_explicit(&t->stuck, memory_order_relaxed))
		return false;
	told = lock_take(&t->lock, id);
	if (told == LOCK_LEFT)
		begin_anew(t);
	if (told == LOCK_NOT)
		atomic_store(&t->stuck, true);
	return told != LOCK_NOT;
}

static void
push(struct pool *t, struct line *table, unsigned bits)
{
	table->keys[0] = (uintptr_t)t->given[bits];
	t->given[bits] = table;
}

/* Returns a table of that size that was given back, or NULL. */
static struct line *
pop(struct pool *t, unsigned bits)
{
	struct line *table = t->given[bits];

	if (table != NULL) {
		t->given[bits] = (struct line *)table->keys[0];
		table->keys[0] = 0;
	}
	return table;
}

/* Splits a larger table that was given back; keeps the rest for others. */
static struct line *
split(struct pool *t, unsigned bits)
{
	struct line *table = NULL;
	unsigned from = bits;

	while (table == NULL && ++from < POOL_SIZES)
		table = pop(t, from);
	while (table != NULL && from-- > bits)
		push(t, table + (1u << from), from);
	return table;
}

struct line *
pool_take(struct pool *t, unsigned bits, uint32_t id)
{
	struct line *table;

	if (!hold(t, id))
		return NULL;
	table = pop(t, bits);
	if (table == NULL)
		table = fresh_lines(t, 1u << bits);
	if (table == NULL)
		table = split(t, bits);
	lock_drop(&t->lock);
	return table;
}

void
pool_give(struct pool *t, struct line *table, unsigned bits, uint32_t id)
{
	mem_zero(table, sizeof *table << bits);
	if (!hold(t, id))
		return;		/* it stays unused */
	push(t, table, bits);
	lock_drop(&t->lock);
}

void
pool_discard(struct pool *t)
{
	uint32_t i;

	for (i = 0; i < t->chunks; i++)
		sys_madvise(t->all[i], POOL_CHUNK, MADV_DONTNEED);
}

void
pool_left(struct pool *t, uint32_t id)
{
	if (lock_take_left(&t->lock, id)) {
		begin_anew(t);
		lock_drop(&t->lock);
	}
}

void
pool_empty(struct pool *t)
{
	uint32_t i;

	for (i = 0; i < t->chunks; i++)
		sys_memory_at(t->all[i], POOL_CHUNK);
	lock_drop(&t->lock);
}
