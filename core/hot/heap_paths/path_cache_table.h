/*
 * Context: S.  The table of call paths that an alloc_thread has met.  Mostly, a
 * thread continues from one path as it did the time before: then a sum over
 * words of its stack says so, and no unwind table is read.  An entry lies in
 * one or more cache lines, and is named by the number of its first line; 0 is
 * no entry.  Where a function returns the index of a format_heap, that can be
 * PATH_CACHE_LOST.  Used by path_cache.c and, to prefetch, by alloc_count.c, in
 * the alloc_thread's thread.
 */
#ifndef PATH_CACHE_TABLE_H
#define PATH_CACHE_TABLE_H

#include "heap_paths/path_cache_frames.h"

/*
 * path_cache_table_init() makes the table empty, in the memory that is part of
 * *r; random: seed of the factors of sums.  path_cache_table_clear() forgets
 * all entries.
 */
void path_cache_table_init(struct path_cache *r, uint64_t random);
void path_cache_table_clear(struct path_cache *r);

/* Returns the entry that begins in that line. */
static inline struct path_cache_entry *
path_cache_table_at(const struct path_cache *r, uint32_t line)
{
	return (struct path_cache_entry *)(r->lines + (size_t)line *
	    PATH_CACHE_LINE);
}

/*
 * Returns the sum of the entry's words, as they are on a stack with that sp and
 * fp.  Takes sp from the caller and not again from the entry, because a fork by
 * a handler may wipe the entry in between.
 */
static inline uint64_t
path_cache_table_sum(const struct path_cache *r,
    const struct path_cache_entry *p, uintptr_t sp, uintptr_t fp)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < p->words; i++)
		sum += r->odd[i] * path_cache_frame_load(sp + p->at[i] * 8u);
	if ((p->needs & PATH_CACHE_FP) != 0)
		sum += r->odd[PATH_CACHE_SUMMED] * fp;
	return sum;
}

/*
 * Returns whether the call `from` comes by the entry's path: place, stack
 * pointer and sum are equal.
 */
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

/*
 * Returns the index of the call's format_heap if it comes by the last call's
 * path, else 0.
 */
static inline uint32_t
path_cache_table_last(const struct path_cache *r,
    const struct alloc_caller *from, const struct path_cache_stack *stack)
{
	const struct path_cache_entry *p = path_cache_table_at(r, r->last);

	return r->last != 0 && path_cache_table_matches(r, p, from, stack) ?
	    p->heap : 0;
}

/*
 * Returns the index of the call's format_heap if it comes by one of the paths
 * that came after the last call's path before, and makes that path the last
 * one; else 0.
 */
uint32_t path_cache_table_next(struct path_cache *r,
    const struct alloc_caller *from, const struct path_cache_stack *stack);

/*
 * Prefetches what the next call needs, while the program runs.  Called last of
 * all, because a processor that has many loads under way drops prefetches
 * (gcc's cc1: 37 ns of 117).
 */
void path_cache_table_prefetch(struct path_cache *r);

/*
 * Finds the path of the frames in r->frame, makes it the last one, and stores
 * the index of its format_heap in r->heap.  If the path is known with other
 * stacks only, enters it with this one.  Returns false if the path is not
 * known.
 */
bool path_cache_table_find(struct path_cache *r,
    const struct path_cache_stack *stack);

/*
 * Enters the path of the frames in r->frame, whose format_heap r->heap is, and
 * makes it the last one.  A full table is cleared first, and grows by a system
 * call if it may.
 */
void path_cache_table_insert(struct path_cache *r);

/*
 * Returns the number of the frames that `frames` is the number of, and of one
 * more, with address pc.
 */
static inline uint64_t
path_cache_table_hash(uint64_t frames, uintptr_t pc)
{
	const unsigned __int128 n = (unsigned __int128)
	    (frames ^ 0x9e3779b97f4a7c15u) * (pc ^ 0xd1b54a32d192ed03u);

	return (uint64_t)n ^ (uint64_t)(n >> 64);
}

#endif
