/*
 * Context: S.  The table of live blocks: address, call path that asked for the
 * block, and size; doc/design/heap.md.  alloc_count.c calls it, in the thread
 * that counts a call; alloc_thread.c makes, recovers and prepares it, and
 * live_control.c replaces it when an order makes the process forget its blocks.
 * mon->blocks points to the table in force.
 *
 * No two threads may call with one address at once; none do in a program that
 * frees each block once.  Calls with different addresses may run at the same
 * time.  A signal handler that has interrupted a call must not call:
 * alloc_count.h keeps nested calls away.
 */
#ifndef LIVE_BLOCKS_H
#define LIVE_BLOCKS_H

#include "base/state.h"

/* A block, as the table knows it. */
struct live_block {
	/* index of the path's format_heap, not 0, below LIVE_BLOCKS_PATHS */
	uint32_t path;
	uint64_t bytes;	/* size as asked for */
};

#define LIVE_BLOCKS_PATHS	(1u << 28)	/* indexes in 4 GiB of a file */

/*
 * A thread that uses a table: `id` is its id for locks, alloc_thread.record,
 * which is not 0; `at` the region that it is using, or NULL.  Its thread alone
 * writes it, or the thread that takes its alloc_thread over.
 */
struct live_blocks_user {
	uint32_t id;
	struct block_region *at;
};
/*
 * Cleans up after user u, whose thread was interrupted in a call of these
 * functions, and will not go back: releases the locks that it holds, and drops
 * the blocks of the region that it was changing.  alloc_thread_recover() calls
 * it, which counts the loss.
 */
void live_blocks_recover(struct live_block_table *t,
    struct live_blocks_user *u);

/*
 * Makes a table, which is never unmapped, for paths of that generation of the
 * store.  Its regions and buckets take at most `most` bytes (heapsize=).  A
 * fork child does not get it.  Returns NULL if there is no memory.
 */
struct live_block_table *live_blocks_create(uint64_t most, unsigned generation);

/* Returns the generation of the store that the paths are of. */
unsigned live_blocks_generation(const struct live_block_table *t);

/*
 * Enters block b at address `at`.  Returns 0, or 1 if the table had a block
 * there, whose end was not seen: it is taken out, and *old is that block.  This
 * may be so after -ENOMEM, too; else *old is not changed.  Errors: -ENOMEM if
 * there is no memory within the limit (heapsize=) or in a frozen process;
 * -ERANGE if the table cannot hold that address, path or size; -EBUSY if the
 * region has been given up, because a thread held it for ten seconds, which is
 * counted as LOSS_HEAP_LEFT.  May wait ten seconds for the region, and ten for
 * the pool of memory.
 */
int live_blocks_insert(struct live_block_table *t, struct live_blocks_user *u,
    uintptr_t at, const struct live_block *b, struct live_block *old);

/*
 * Prefetches what live_blocks_insert() is about to need for address `at`.
 * Takes no lock.
 */
void live_blocks_prefetch(struct live_block_table *t, uintptr_t at);

/*
 * Takes the block at address `at` out of the table, and fills *b.  Returns
 * false if the table does not have it, or if its region has been given up,
 * which is counted as LOSS_HEAP_LEFT.  May wait as live_blocks_insert() does.
 */
bool live_blocks_remove(struct live_block_table *t, struct live_blocks_user *u,
    uintptr_t at, struct live_block *b);

/*
 * live_blocks_fork_prepare() prepares a fork whose child may continue a call of
 * its parent that is using the table; the forking thread calls it before
 * fork().  live_blocks_fork_child() empties the table that such a child then
 * has; the child calls it.
 */
void live_blocks_fork_prepare(struct live_block_table *t);
void live_blocks_fork_child(struct live_block_table *t);

/*
 * Gives back the memory of a table that another one has replaced, but for the
 * table's head.  Idle threads still point to it until alloc_thread_sync(), and
 * a thread may be in the middle of a call with it: they find an empty table.
 * Only live_control.c calls it, with mon->taking held.
 */
void live_blocks_discard(struct live_block_table *t);

/*
 * Returns whether the limit (heapsize=) leaves no room for another chunk of
 * tables.
 */
bool live_blocks_is_full(const struct live_block_table *t);

/*
 * Returns the bytes of memory that the table's regions and buckets take.  A
 * test calls it.
 */
uint64_t live_blocks_memory(const struct live_block_table *t);

#endif
