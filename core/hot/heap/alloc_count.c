/*
 * Context: S.  Counts blocks as they are given out and freed, in the
 * alloc_thread of the calling thread; alloc_hooks.c and map_hooks.c call it,
 * between alloc_count_enter() and alloc_count_leave(); see alloc_count.h.
 */
#include "heap/alloc_count.h"

#include "base/loss_count.h"
#include "base/str.h"
#include "heap/alloc_sample.h"
#include "heap/alloc_slow.h"
#include "heap_live/peak.h"
#include "heap_paths/path_cache.h"
#include "heap_paths/path_cache_table.h"
#include "store/store.h"

/* Returns the alloc_thread's own record in the file. */
static struct format_alloc_thread *
thread_file_record(struct alloc_thread *l)
{
	return alloc_thread_record(l, l->record);
}

/*
 * Returns `heap`, or 0 if the file has no room for the path.  Counts that as a
 * loss, except in a call of its parent that a fork child continues.
 */
static uint32_t
count_missing_path(const struct alloc_thread *l, uint32_t heap)
{
	if (heap != 0 && heap != PATH_CACHE_LOST)
		return heap;
	if (l->generation != ALLOC_THREAD_OF_PARENT)
		loss_count(alloc_count_store_loss(), 1);
	return 0;
}

/*
 * Finds a path that is not the last call's, or that the file had no room for,
 * and prefetches what the call touches next.  heap: PATH_CACHE_LOST, or 0 if
 * the path is not known.
 */
static uint32_t
find_path_slow(struct alloc_thread *l, const struct alloc_caller *from,
    uintptr_t at, uint32_t heap)
{
	struct alloc_slow s = { l, from, false, heap };

	if (s.heap == 0) {
		live_blocks_prefetch(l->blocks, at);
		s.heap = path_cache_lookup(l, from);
	}
	if (s.heap == 0 || (s.heap == PATH_CACHE_LOST && !store_is_exhausted()))
		alloc_slow_run(&s);
	s.heap = count_missing_path(l, s.heap);
	mem_prefetch(alloc_thread_record(l, s.heap),
	    sizeof(struct format_heap));
	return s.heap;
}

/*
 * Returns the record of the call path that asked for the block at `at`, or NULL
 * if the file has no room for it.
 */
static struct format_heap *
find_alloc_path(struct alloc_thread *l, const struct alloc_caller *from,
    uintptr_t at)
{
	uint32_t heap = path_cache_same_path(l, from);

	if (heap == 0 || heap == PATH_CACHE_LOST)
		heap = find_path_slow(l, from, at, heap);
	return heap == 0 ? NULL : alloc_thread_record(l, heap);
}

uint32_t
alloc_count_map_path(struct alloc_thread *l, const struct alloc_caller *from)
{
	struct alloc_slow s = { l, from, true, 0 };

	/*
	 * A call within an allocation must not attach the alloc_thread to
	 * another file.
	 */
	if (l->inside == from->sp || alloc_thread_is_current(l))
		alloc_slow_run(&s);
	return count_missing_path(l, s.heap);
}

/* Returns the index of a record of the alloc_thread's file. */
static uint32_t
record_index_of(const struct alloc_thread *l, const struct format_heap *h)
{
	return (uint32_t)(((const unsigned char *)h - l->base) / FORMAT_UNIT);
}

/* The bytes and the number of blocks that a block is counted as. */
struct block_weight {
	uint64_t bytes, blocks;
};

/*
 * Returns the weight of a chosen block, where only some blocks are counted.  It
 * is a whole number of blocks, rounded up as often as makes the average right.
 * The block's address decides on rounding, so that the end of the block has the
 * same weight as its begin.
 */
static __attribute__((noinline)) struct block_weight
sampled_block_weight(uintptr_t at, uint64_t bytes)
{
	const uint64_t weight = alloc_sample_weight(bytes + 1,
	    config.heap_period);
	const uint64_t chance = at * 0x9e3779b97f4a7c15u >> 48;

	return (struct block_weight){
		(uint64_t)((unsigned __int128)bytes * weight >> 16),
		(weight >> 16) + (chance < (weight & 0xffff)),
	};
}

static inline struct block_weight
weight_of_block(uintptr_t at, uint64_t bytes)
{
	return config.heap_period != 0 ? sampled_block_weight(at, bytes) :
	    (struct block_weight){ bytes, 1 };
}

/*
 * Returns whether a block of that size is counted: all blocks are, or chance
 * has chosen this one.  Takes the size off the bytes to the next chosen block,
 * or draws their number anew.
 */
static inline bool
is_block_sampled(struct alloc_thread *l, uint64_t bytes)
{
	if (config.heap_period == 0)
		return true;
	if (bytes + 1 <= l->until) {
		l->until -= bytes + 1;
		return false;
	}
	l->until = alloc_sample_interval(&l->random, config.heap_period);
	return true;
}

/* Returns the number of the size class of n bytes, for format_alloc_thread. */
static inline unsigned
size_class_of(uint64_t n)
{
	return n == 0 ? 0 : 64 - (unsigned)__builtin_clzll(n);
}

/*
 * Counts the end of block b, which this thread frees.  If the path belongs to
 * the alloc_thread of another thread, the counters are shared ones, changed by
 * atomic additions.
 */
static inline void
count_block_end(struct alloc_thread *l, uintptr_t at,
    const struct live_block *b)
{
	struct format_heap *h = alloc_thread_record(l, b->path);
	const struct block_weight s = weight_of_block(at, b->bytes);

	peak_subtract(l, h, s.bytes);
	if (h->alloc_thread == l->record) {
		h->freed_bytes += s.bytes;
		h->freed_blocks += s.blocks;
	} else {
		__atomic_fetch_add(&h->taken_bytes, s.bytes, __ATOMIC_RELAXED);
		__atomic_fetch_add(&h->taken_blocks, s.blocks,
		    __ATOMIC_RELAXED);
	}
	peak_subtract_done(l);
}

void
alloc_count_finish_free(struct alloc_thread *l, uintptr_t at,
    const struct live_block *b)
{
	count_block_end(l, at, b);
}

/* Returns the loss to count for a block that live_blocks_insert() refused. */
static enum loss
live_blocks_loss(const struct alloc_thread *l, int error)
{
	if (error != -ENOMEM)
		return LOSS_HEAP_PLACE;
	return atomic_load(&mon->frozen) && !live_blocks_is_full(l->blocks) ?
	    LOSS_HEAP_FROZEN : LOSS_HEAP_TABLE;
}

/*
 * Enters block b.  If the table has a block at that address, the end of that
 * one was not seen, and is counted now.  Returns false, and counts the loss, if
 * b was not entered.
 */
static inline bool
enter_live_block(struct alloc_thread *l, uintptr_t at,
    const struct live_block *b)
{
	struct live_block old = { .path = 0 };
	const int result = live_blocks_insert(l->blocks, &l->user, at, b, &old);

	if (old.path != 0) {
		alloc_count_finish_free(l, at, &old);
		thread_file_record(l)->missed_ends++;
	}
	/* live_blocks_insert() has counted the loss for -EBUSY itself. */
	if (result < 0 && result != -EBUSY)
		loss_count(live_blocks_loss(l, result), 1);
	return result >= 0;
}

/* Raises the path's own maximum to what is live of it, if that is more. */
static void
raise_path_high(struct format_heap *h)
{
	const uint64_t live = h->node.ns - h->freed_bytes -
	    __atomic_load_n(&h->taken_bytes, __ATOMIC_RELAXED);

	if (live > h->high_bytes)
		h->high_bytes = live;
}

void
alloc_count_block(struct alloc_thread *l, uintptr_t at, uint64_t bytes,
    const struct alloc_caller *from, bool resized)
{
	struct format_heap *h = !lineage_is_paused(LINEAGE_UNHEAPED) &&
	    is_block_sampled(l, bytes) ? find_alloc_path(l, from, at) : NULL;
	struct block_weight s;

	l->last = at | ALLOC_THREAD_UNCOUNTED;
	if (h == NULL || !enter_live_block(l, at,
	    &(struct live_block){ record_index_of(l, h), bytes })) {
		l->last = 0;
		return;
	}
	if (h->alloc_thread == 0)
		h->alloc_thread = l->record;
	s = weight_of_block(at, bytes);
	peak_add(l, h, s.bytes);
	h->node.count += s.blocks;
	h->node.ns += s.bytes;
	if (resized)
		h->resized_blocks += s.blocks;
	if (config.heap_period != 0)
		h->samples++;
	thread_file_record(l)->sizes[size_class_of(bytes)] += s.blocks;
	raise_path_high(h);
	l->last = at;
	if (l->path_cache.fetched != l->path_cache.last)
		path_cache_table_prefetch(&l->path_cache);
}

/*
 * Takes the block at `at` out of the table and fills *b.  Returns false, and
 * counts an unknown free where all blocks are counted, if the table has no such
 * block.
 */
static inline bool
take_live_block(struct alloc_thread *l, uintptr_t at, struct live_block *b)
{
	if (live_blocks_remove(l->blocks, &l->user, at, b))
		return true;
	thread_file_record(l)->unknown_frees += config.heap_period == 0 &&
	    !lineage_is_paused(LINEAGE_UNHEAPED);
	return false;
}

bool
alloc_count_remove(struct alloc_thread *l, uintptr_t at, struct live_block *b)
{
	return take_live_block(l, at, b);
}

void
alloc_count_restore(struct alloc_thread *l, uintptr_t at,
    const struct live_block *b)
{
	enter_live_block(l, at, b);
}

void
alloc_count_free(struct alloc_thread *l, uintptr_t at)
{
	struct live_block b;

	if (!take_live_block(l, at, &b))
		return;
	count_block_end(l, at, &b);
	if (l->last == at) {
		((struct format_heap *)alloc_thread_record(l,
		    b.path))->temporary_blocks += weight_of_block(at,
		    b.bytes).blocks;
		l->last = 0;
	}
}
