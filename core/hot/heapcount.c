/* Context: S.  Allocations counted; see heapcount.h. */
#include "heapcount.h"

#include "heapsearch.h"
#include "peak.h"
#include "recall.h"
#include "recallpath.h"
#include "sample.h"
#include "store.h"
#include "str.h"

static struct format_lane *
lane_record(struct lane *l)
{
	return lane_at(l, l->record);
}

/*
 * Returns the path's record, or 0 if the file has no room for it, and counts
 * that as a loss.
 */
static uint32_t
found(const struct lane *l, uint32_t heap)
{
	if (heap != 0 && heap != RECALL_LOST)
		return heap;
	if (l->generation != LANE_OF_PARENT)
		loss_count(heapcount_refusal(), 1);
	return 0;
}

/*
 * Finds a path that is not the last call's, and prefetches what the call
 * touches next.  heap: the path's record, RECALL_LOST, or 0 if not known.
 */
static uint32_t
find_other(struct lane *l, const struct heap_from *from, uintptr_t at,
    uint32_t heap)
{
	struct heapsearch s = { l, from, false, heap };

	if (s.heap == 0) {
		blocks_fetch(l->blocks, at);
		s.heap = recall_known(l, from);
	}
	if (s.heap == 0 || (s.heap == RECALL_LOST && !store_is_hopeless()))
		heapsearch_apart(&s);
	s.heap = found(l, s.heap);
	mem_fetch(lane_at(l, s.heap), sizeof(struct format_heap));
	return s.heap;
}

/* Of a block there. */
static struct format_heap *
find_heap(struct lane *l, const struct heap_from *from, uintptr_t at)
{
	uint32_t heap = recall_again(l, from);

	if (heap == 0 || heap == RECALL_LOST)
		heap = find_other(l, from, at, heap);
	return heap == 0 ? NULL : lane_at(l, heap);
}

uint32_t
heapcount_map_path(struct lane *l, const struct heap_from *from)
{
	struct heapsearch s = { l, from, true, 0 };

	/* It is not led to another file amid the call that it is within. */
	if (l->inside == from->sp || lane_is_current(l))
		heapsearch_apart(&s);
	return found(l, s.heap);
}

static uint32_t
index_in(const struct lane *l, const struct format_heap *h)
{
	return (uint32_t)(((const unsigned char *)h - l->base) / FORMAT_UNIT);
}

/* For what a block is counted. */
struct share {
	uint64_t bytes, blocks;
};

/*
 * Of a sample.  A block is for a whole number of blocks, rounded up as often as
 * that is right on average: by its address, so that its end says the same.
 */
static __attribute__((noinline)) struct share
sampled_share(uintptr_t at, uint64_t bytes)
{
	const uint64_t weight = sample_weight(bytes + 1, config.heap_period);
	const uint64_t chance = at * 0x9e3779b97f4a7c15u >> 48;

	return (struct share){
		(uint64_t)((unsigned __int128)bytes * weight >> 16),
		(weight >> 16) + (chance < (weight & 0xffff)),
	};
}

static inline struct share
share_of(uintptr_t at, uint64_t bytes)
{
	return config.heap_period != 0 ? sampled_share(at, bytes) :
	    (struct share){ bytes, 1 };
}

/* Is it one that is counted? */
static inline bool
is_struck(struct lane *l, uint64_t bytes)
{
	if (config.heap_period == 0)
		return true;
	if (bytes + 1 <= l->until) {
		l->until -= bytes + 1;
		return false;
	}
	l->until = sample_wait(&l->random, config.heap_period);
	return true;
}

static inline unsigned
digits(uint64_t n)
{
	return n == 0 ? 0 : 64 - (unsigned)__builtin_clzll(n);
}

/* Its end, by this thread; of a path of another one, for all to see. */
static inline void
ended(struct lane *l, uintptr_t at, const struct block *b)
{
	struct format_heap *h = lane_at(l, b->path);
	const struct share s = share_of(at, b->bytes);

	peak_less(l, h, s.bytes);
	if (h->lane == l->record) {
		h->freed_bytes += s.bytes;
		h->freed_blocks += s.blocks;
	} else {
		__atomic_fetch_add(&h->taken_bytes, s.bytes, __ATOMIC_RELAXED);
		__atomic_fetch_add(&h->taken_blocks, s.blocks,
		    __ATOMIC_RELAXED);
	}
	peak_has_less(l);
}

void
heapcount_ended(struct lane *l, uintptr_t at, const struct block *b)
{
	ended(l, at, b);
}

/* Returns the loss to count for a block that blocks_enter() refused. */
static enum loss
loss_of(const struct lane *l, int error)
{
	if (error != -ENOMEM)
		return LOSS_HEAP_PLACE;
	return atomic_load(&mon->frozen) && !blocks_is_full(l->blocks) ?
	    LOSS_HEAP_FROZEN : LOSS_HEAP_TABLE;
}

/* One that stood there must have ended unseen. False: it is not known. */
static inline bool
enter(struct lane *l, uintptr_t at, const struct block *b)
{
	struct block old;
	const int told = blocks_enter(l->blocks, &l->user, at, b, &old);

	if (told > 0) {
		heapcount_ended(l, at, &old);
		lane_record(l)->missed_ends++;
	}
	/* -EBUSY is counted where it is found. */
	if (told < 0 && told != -EBUSY)
		loss_count(loss_of(l, told), 1);
	return told >= 0;
}

static void
count_high(struct format_heap *h)
{
	const uint64_t live = h->node.ns - h->freed_bytes -
	    __atomic_load_n(&h->taken_bytes, __ATOMIC_RELAXED);

	if (live > h->high_bytes)
		h->high_bytes = live;
}

void
heapcount_block(struct lane *l, uintptr_t at, uint64_t bytes,
    const struct heap_from *from, bool resized)
{
	struct format_heap *h = !lineage_is(LINEAGE_UNHEAPED) &&
	    is_struck(l, bytes) ? find_heap(l, from, at) : NULL;
	struct share s;

	l->last = at | LANE_NOT_COUNTED;
	if (h == NULL || !enter(l, at,
	    &(struct block){ index_in(l, h), bytes })) {
		l->last = 0;
		return;
	}
	if (h->lane == 0)
		h->lane = l->record;
	s = share_of(at, bytes);
	peak_more(l, h, s.bytes);
	h->node.count += s.blocks;
	h->node.ns += s.bytes;
	if (resized)
		h->resized_blocks += s.blocks;
	if (config.heap_period != 0)
		h->samples++;
	lane_record(l)->sizes[digits(bytes)] += s.blocks;
	count_high(h);
	l->last = at;
	if (l->recall.fetched != l->recall.last)
		recallpath_fetch(&l->recall);
}

/* Whose it was; false: nobody knows it. */
static inline bool
take(struct lane *l, uintptr_t at, struct block *b)
{
	if (blocks_take(l->blocks, &l->user, at, b))
		return true;
	lane_record(l)->unknown_frees += config.heap_period == 0 &&
	    !lineage_is(LINEAGE_UNHEAPED);
	return false;
}

bool
heapcount_take(struct lane *l, uintptr_t at, struct block *b)
{
	return take(l, at, b);
}

void
heapcount_put_back(struct lane *l, uintptr_t at, const struct block *b)
{
	enter(l, at, b);
}

void
heapcount_end(struct lane *l, uintptr_t at)
{
	struct block b;

	if (!take(l, at, &b))
		return;
	ended(l, at, &b);
	if (l->last == at) {
		((struct format_heap *)lane_at(l, b.path))->temporary_blocks +=
		    share_of(at, b.bytes).blocks;
		l->last = 0;
	}
}
