/*
 * Context: S.  Memory for the tables of blocks.c: 2^n lines each, given back in
 * whole.  Not there in a fork child.
 */
#ifndef BLOCKPOOL_H
#define BLOCKPOOL_H

#include "blockline.h"
#include "state.h"

#define POOL_CHUNK	(1u << 20)	/* below a huge page: what is not touched
					   is not there */
#define POOL_SMALL	6u		/* so many are; then two a huge page */
#define POOL_CHUNKS	16384u		/* the most of heapsize= */
#define POOL_SIZES	11u

struct pool {
	_Atomic uint64_t memory;	/* bytes so far ... */
	uint64_t most;			/* ... and at the most */
	_Atomic bool stuck;		/* who holds the lock did not come back */
	_Atomic uint32_t lock;		/* of all below */
	struct line *chunk;		/* the last one ... */
	uint32_t fresh;			/* ... and its lines that were used */
	struct line *half;		/* the next one: of the same huge page */
	struct line *given[POOL_SIZES];	/* lists of tables given back */
	uint32_t chunks;
	struct line *all[POOL_CHUNKS];	/* half too */
};

/*
 * Returns whether n bytes more are within the limit (heapsize=).  A pool that is
 * used up answers so without a system call.
 */
static inline bool
pool_allows(const struct pool *t, size_t n)
{
	return atomic_load_explicit(&t->memory, memory_order_relaxed) + n <=
	    t->most;
}

/* So many bytes, all zero, for good; NULL: no more are to be had. */
void *pool_memory(struct pool *t, size_t n);

/* A table of 2^bits lines, all zero; NULL: none. */
struct line *pool_take(struct pool *t, unsigned bits, uint32_t id);
void pool_give(struct pool *t, struct line *table, unsigned bits, uint32_t id);

/* In a fork child: zeros where there is nothing, and nobody at it. */
void pool_empty(struct pool *t);

/* Empties the pool: it reads as zero from here on and takes no memory. */
void pool_discard(struct pool *t);

/* Of a user who was interrupted here, and does not come back. */
void pool_left(struct pool *t, uint32_t id);

#endif
