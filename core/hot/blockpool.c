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

struct line *
pool_at(const struct pool *t, uint32_t line)
{
	return (struct line *)t->chunk[line / CHUNK_LINES] +
	    line % CHUNK_LINES;
}

/* Lines in a row that were never used; of what a chunk has left, none. */
static uint32_t
fresh_lines(struct pool *t, uint32_t n)
{
	uint32_t line = t->fresh;

	if (t->chunks == 0 || line % CHUNK_LINES == 0 ||
	    line % CHUNK_LINES + n > CHUNK_LINES) {
		if (t->chunks == POOL_CHUNKS)
			return 0;
		t->chunk[t->chunks] = pool_memory(t, POOL_CHUNK);
		if (t->chunk[t->chunks] == NULL)
			return 0;
		line = t->chunks++ * CHUNK_LINES;
		line += line == 0;	/* 0 is none */
	}
	t->fresh = line + n;
	return line;
}

static bool
hold(struct pool *t, uint32_t id)
{
	if (atomic_load_explicit(&t->stuck, memory_order_relaxed))
		return false;
	if (lock_take(&t->lock, id))
		return true;
	atomic_store(&t->stuck, true);
	return false;
}

/* All zero. */
uint32_t
pool_take(struct pool *t, unsigned bits, uint32_t id)
{
	uint32_t line;

	if (!hold(t, id))
		return 0;
	line = t->given[bits];
	if (line != 0) {
		t->given[bits] = (uint32_t)pool_at(t, line)->keys[0];
		pool_at(t, line)->keys[0] = 0;
	} else {
		line = fresh_lines(t, 1u << bits);
	}
	lock_drop(&t->lock);
	return line;
}

void
pool_give(struct pool *t, uint32_t line, unsigned bits, uint32_t id)
{
	struct line *first = pool_at(t, line);

	mem_zero(first, sizeof *first << bits);
	if (!hold(t, id))
		return;		/* it stays unused */
	first->keys[0] = t->given[bits];
	t->given[bits] = line;
	lock_drop(&t->lock);
}

void
pool_left(struct pool *t, uint32_t id)
{
	if (atomic_load(&t->lock) == id)
		lock_drop(&t->lock);
}
