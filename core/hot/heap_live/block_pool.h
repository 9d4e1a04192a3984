/*
 * Context: S.  Memory for the tables of live_blocks.c, within the limit of
 * heapsize=.  A table is an array of 2^n buckets, allocated and freed as a
 * whole.  A fork child does not get the memory.  live_blocks.c and
 * block_table.c call it, in a thread that counts an allocation; in a frozen
 * process it maps nothing.
 */
#ifndef BLOCK_POOL_H
#define BLOCK_POOL_H

#include "base/state.h"
#include "heap_live/block_bucket.h"

/*
 * Bytes of a chunk.  It is less than a huge page, so pages not touched take no
 * memory.
 */
#define BLOCK_POOL_CHUNK	(1u << 20)
/*
 * So many chunks come one by one; later ones come two at a time, in a huge
 * page.
 */
#define BLOCK_POOL_SMALL	6u
#define BLOCK_POOL_CHUNKS	16384u		/* the largest heapsize= */
/* Number of sizes of tables: 2^0 to 2^10 buckets. */
#define BLOCK_POOL_SIZES	11u

/* The pool.  The holder of the lock owns all fields below it. */
struct block_pool {
	_Atomic uint64_t memory;	/* bytes mapped */
	uint64_t most;			/* limit of `memory` */
	/*
	 * a thread did not get the lock within ten seconds: the pool gives out
	 * nothing any more
	 */
	_Atomic bool stuck;
	_Atomic uint32_t lock;		/* id of the holder, 0: none */
	struct block_bucket *chunk;		/* newest chunk */
	uint32_t fresh;			/* buckets of it that were used */
	/*
	 * the next chunk, which is the second half of a huge page; NULL: none
	 */
	struct block_bucket *half;
	/* lists of tables that were given back, by size */
	struct block_bucket *given[BLOCK_POOL_SIZES];
	uint32_t chunks;	/* number of chunks */
	/* all chunks, `half` as well */
	struct block_bucket *all[BLOCK_POOL_CHUNKS];
};

/*
 * Returns whether n bytes more are within the limit (heapsize=).  A pool that
 * is used up answers so without a system call.
 */
static inline bool
block_pool_allows(const struct block_pool *t, size_t n)
{
	return atomic_load_explicit(&t->memory, memory_order_relaxed) + n <=
	    t->most;
}

/*
 * Maps n zero bytes, and counts them in the pool's memory.  Does not need the
 * lock.  Returns NULL at the limit, behind a seccomp filter, or if the kernel
 * refuses.
 */
void *block_pool_map(struct block_pool *t, size_t n);

/*
 * block_pool_alloc() returns a table of 2^bits buckets, all zero; NULL: there
 * is no memory, or the lock was not to be had.  bits: less than
 * BLOCK_POOL_SIZES.  block_pool_free() clears a table and gives it back to the
 * pool; without the lock the table stays unused.  Both take the lock, and may
 * wait ten seconds for it.  id: the calling thread's own number, not 0, as
 * robust_lock.h has it.
 */
struct block_bucket *block_pool_alloc(struct block_pool *t, unsigned bits,
    uint32_t id);
void block_pool_free(struct block_pool *t, struct block_bucket *table,
    unsigned bits, uint32_t id);

/*
 * Maps zeros where the parent's chunks were, and releases the lock.  A fork
 * child calls it if it continues a call of its parent
 * (live_blocks_fork_child()).
 */
void block_pool_fork_child(struct block_pool *t);

/*
 * Empties the pool's chunks: they read as zero from here on and take no memory.
 * live_blocks_discard() calls it.
 */
void block_pool_discard(struct block_pool *t);

/*
 * Releases the lock if user `id` holds it, who was interrupted here and will
 * not come back.  The tables that were given back and the rest of the newest
 * chunk are then not used any more.  live_blocks_recover() calls it.
 */
void block_pool_recover(struct block_pool *t, uint32_t id);

#endif
