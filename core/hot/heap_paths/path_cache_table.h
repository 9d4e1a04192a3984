/*
 * Context: S.  The paths of a thread's allocations.  Mostly it goes on from one
 * as it did the time before: then its stack says so, without a look at tables.
 */
#ifndef PATH_CACHE_TABLE_H
#define PATH_CACHE_TABLE_H

#include "heap_paths/path_cache_frame.h"

void path_cache_table_init(struct path_cache *r, uint64_t random);
void path_cache_table_clear(struct path_cache *r);

static inline struct path_cache_entry *
path_cache_table_at(const struct path_cache *r, uint32_t line)
{
	return (struct path_cache_entry *)(r->lines + (size_t)line *
	    PATH_CACHE_LINE);
}

/* Its sp is not asked twice: a fork by a handler may wipe it in between. */
static inline uint64_t
path_cache_table_sum(const struct path_cache *r,
    const struct path_cache_entry *p, uintptr_t sp, uintptr_t fp)
{
	uint64_t sum = 0;
	unsigned i;

	for (i = 0; i < p->words; i++)
		sum += r->odd[i] * path_cache_frame_load(sp + p->at[i] * 8u);
	if ((p->needs & PATH_CACHE_FP) != 0)
		sum += r->odd[PATH_CACHE_SUMMED] * fp;
	return sum;
}

static inline bool
path_cache_table_matches(const struct path_cache *r,
    const struct path_cache_entry *p, const struct alloc_caller *from,
    const struct path_cache_stack *stack)
{
	return p->sp == from->sp && p->pc == from->pc &&
	    (p->needs & PATH_CACHE_NO_SUM) == 0 &&
	    from->sp + p->high * 8u < stack->high &&
	    path_cache_table_sum(r, p, from->sp, from->fp) == p->sum;
}

/* Returns the call's path if it is the last call's, else 0. */
static inline uint32_t
path_cache_table_last(const struct path_cache *r,
    const struct alloc_caller *from, const struct path_cache_stack *stack)
{
	const struct path_cache_entry *p = path_cache_table_at(r, r->last);

	return r->last != 0 && path_cache_table_matches(r, p, from, stack) ?
	    p->heap : 0;
}

/*
 * Returns the call's path if it is one that came after the last call's before,
 * and makes it the last one; else 0.
 */
uint32_t path_cache_table_next(struct path_cache *r,
    const struct alloc_caller *from, const struct path_cache_stack *stack);

/*
 * What the next call needs comes into the cache while the program runs.  Last
 * of all: a processor that has much under way leaves it (gcc's cc1: 37 ns of
 * 117).
 */
void path_cache_table_prefetch(struct path_cache *r);

/* The path of the frames that were taken on, in r->heap; false: not known. */
bool path_cache_table_find(struct path_cache *r,
    const struct path_cache_stack *stack);

/* ... now it is: r->heap. */
void path_cache_table_insert(struct path_cache *r);

/* The frames that lead to it, and one more. */
static inline uint64_t
path_cache_table_hash(uint64_t frames, uintptr_t pc)
{
	const unsigned __int128 n = (unsigned __int128)
	    (frames ^ 0x9e3779b97f4a7c15u) * (pc ^ 0xd1b54a32d192ed03u);

	return (uint64_t)n ^ (uint64_t)(n >> 64);
}

#endif
