/*
 * Context: S.  Memory for the tables of live_blocks.c: 2^n lines each, given
 * back in whole.  Not there in a fork child.
 */
#ifndef BLOCK_POOL_H
#define BLOCK_POOL_H

#include "base/state.h"
#include "heap_live/block_bucket.h"

#define BLOCK_POOL_CHUNK	(1u << 20)	/* below a huge page: what is not touched
					   is not there */
/* So many are; then two a huge page */
#define BLOCK_POOL_SMALL	6u
#define BLOCK_POOL_CHUNKS	16384u		/* the most of heapsize= */
#define BLOCK_POOL_SIZES	11u

struct block_pool {
	_Atomic uint64_t memory;	/* bytes so far ... */
	uint64_t most;			/* ... and at the most */
	/* who holds the lock did not come back */
	_Atomic bool stuck;
	_Atomic uint32_t lock;		/* of all below */
	struct block_bucket *chunk;		/* the last one ... */
	uint32_t fresh;			/* ... and its lines that were used */
	/* the next one: of the same huge page */
	struct block_bucket *half;
	/* lists of tables given back */
	struct block_bucket *given[BLOCK_POOL_SIZES];
	uint32_t chunks;
	struct block_bucket *all[BLOCK_POOL_CHUNKS];	/* half too */
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

/* So many bytes, all zero, for good; NULL: no more are to be had. */
void *block_pool_map(struct block_pool *t, size_t n);

/* A table of 2^bits lines, all zero; NULL: none. */
struct block_bucket *block_pool_alloc(struct block_pool *t, unsigned bits,
    uint32_t id);
void block_pool_free(struct block_pool *t, struct block_bucket *table,
    unsigned bits, uint32_t id);

/* In a fork child: zeros where there is nothing, and nobody at it. */
void block_pool_fork_child(struct block_pool *t);

/* Empties the pool: it reads as zero from here on and takes no memory. */
void block_pool_discard(struct block_pool *t);

/* Of a user who was interrupted here, and does not come back. */
void block_pool_recover(struct block_pool *t, uint32_t id);

#endif
