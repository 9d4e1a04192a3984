/*
 * Context: S.  The table of live blocks: address, path that asked for the
 * block, and size.  Used by the counting of allocations, and by the order that
 * makes the process forget its blocks; doc/design/heap.md.
 *
 * No two threads may call with one address at once; none do in a program that
 * frees each block once.  Calls with different addresses may run at the same
 * time.
 */
#ifndef LIVE_BLOCKS_H
#define LIVE_BLOCKS_H

#include "base/state.h"

/* A block, as the table knows it. */
struct live_block {
	/* record in the file, not 0, below LIVE_BLOCKS_PATHS */
	uint32_t path;
	uint64_t bytes;	/* size as asked for */
};

#define LIVE_BLOCKS_PATHS	(1u << 28)	/* indexes in 4 GiB of a file */

/*
 * A thread that uses a table: `id` is a number of its own, not 0; `at` the
 * region that it is using, or NULL.
 */
struct live_blocks_user {
	uint32_t id;
	struct block_region *at;
};
/*
 * Releases what user u holds in the table, and empties the region that it was
 * changing.  Its thread was interrupted there, and will not go back.
 */
void live_blocks_recover(struct live_block_table *t,
    struct live_blocks_user *u);

/*
 * Makes a table for paths of that generation of the store.  Its regions and
 * buckets take at most `most` bytes (heapsize=).  Returns NULL if there is no
 * memory.
 */
struct live_block_table *live_blocks_create(uint64_t most, unsigned generation);
/* Returns the generation of the store that the paths are of. */
unsigned live_blocks_generation(const struct live_block_table *t);

/*
 * Enters block b at address `at`.  Returns 0, or 1 if the table had a block
 * there, whose end was not seen, and that is now in *old.  Errors: -ENOMEM if
 * there is no memory within the limit (heapsize=) or behind a seccomp filter;
 * -ERANGE if the table cannot hold that address, path or size; -EBUSY if
 * another thread has held the region for ten seconds, which is counted as
 * LOSS_HEAP_LEFT.
 */
int live_blocks_insert(struct live_block_table *t, struct live_blocks_user *u,
    uintptr_t at, const struct live_block *b, struct live_block *old);

/* Prefetches what live_blocks_insert() is about to need for address `at`. */
void live_blocks_prefetch(struct live_block_table *t, uintptr_t at);

/*
 * Takes the block at address `at` out of the table, and fills *b.  Returns
 * false if the table does not have it, or if its region has been given up,
 * which is counted as LOSS_HEAP_LEFT.
 */
bool live_blocks_remove(struct live_block_table *t, struct live_blocks_user *u,
    uintptr_t at, struct live_block *b);

/*
 * live_blocks_fork_prepare() prepares a fork whose child may continue a call
 * that is using the table; the thread that forks calls it before fork().
 * live_blocks_fork_child() gives that child an empty table; the child calls it.
 */
void live_blocks_fork_prepare(struct live_block_table *t);
void live_blocks_fork_child(struct live_block_table *t);

/*
 * Gives back the memory of a table that no alloc_thread points to any more.  A
 * thread that has been in the middle of a call since then reads an empty table.
 */
void live_blocks_discard(struct live_block_table *t);

/*
 * Returns whether the limit (heapsize=) leaves no room for another chunk of
 * tables.
 */
bool live_blocks_is_full(const struct live_block_table *t);

/* Returns the bytes of memory that its regions and buckets take. */
uint64_t live_blocks_memory(const struct live_block_table *t);

#endif
