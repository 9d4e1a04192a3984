/* Context: S.  Memory for tables of blocks; see blockpool.h. */
#include "blockpool.h"

#include "lock.h"
#include "str.h"

#define CHUNK_LINES	((uint32_t)(POOL_CHUNK / sizeof(struct line)))

/* Of its own: a fork child has nothing there, and begins with none. */
void *
pool_memory(struct pool *t, size_t n)
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

/* Lines in a row that were never used; of what a chunk has left, none. */
static struct line *
fresh_lines(struct pool *t, uint32_t n)
{
	struct line *chunk = t->chunk;

	if (chunk == NULL || t->fresh + n > CHUNK_LINES) {
		chunk = t->chunks == POOL_CHUNKS ? NULL :
		    pool_memory(t, POOL_CHUNK);
		if (chunk == NULL)
			return NULL;
		t->all[t->chunks++] = t->chunk = chunk;
		t->fresh = 0;
	}
	t->fresh += n;
	return chunk + t->fresh - n;
}

/* What a thread left that is gone is not used any more. */
static void
begin_anew(struct pool *t)
{
	mem_zero(t->given, sizeof t->given);
	t->chunk = NULL;
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

struct line *
pool_take(struct pool *t, unsigned bits, uint32_t id)
{
	struct line *table;

	if (!hold(t, id))
		return NULL;
	table = t->given[bits];
	if (table != NULL) {
		t->given[bits] = (struct line *)table->keys[0];
		table->keys[0] = 0;
	} else {
		table = fresh_lines(t, 1u << bits);
	}
	lock_drop(&t->lock);
	return table;
}

void
pool_give(struct pool *t, struct line *table, unsigned bits, uint32_t id)
{
	mem_zero(table, sizeof *table << bits);
	if (!hold(t, id))
		return;		/* it stays unused */
	table->keys[0] = (uintptr_t)t->given[bits];
	t->given[bits] = table;
	lock_drop(&t->lock);
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
