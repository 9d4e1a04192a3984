/*
 * Context: S.  The blocks of the program's heap that are live, and whose they
 * are; doc/internals.md, section 22.
 *
 * No two threads may be at one address at once, as none are that free a block
 * once.  All may be at work at different ones.
 */
#ifndef LIVE_BLOCKS_H
#define LIVE_BLOCKS_H

#include "base/state.h"

struct live_block {
	/* record in the file, not 0, below LIVE_BLOCKS_PATHS */
	uint32_t path;
	uint64_t bytes;
};

#define LIVE_BLOCKS_PATHS	(1u << 28)	/* 4 GiB of a file */

/*
 * A thread, while it is at a table: a number of its own, not 0.  One that was
 * interrupted there, and does not go back to it, gives up what it holds.
 */
struct live_blocks_user {
	uint32_t id;
	struct block_region *at;
};
void live_blocks_recover(struct live_block_table *t,
    struct live_blocks_user *u);

/*
 * A table of at most so many bytes, of paths in that generation of the store.
 * NULL: there is no memory.
 */
struct live_block_table *live_blocks_create(uint64_t most, unsigned generation);
unsigned live_blocks_generation(const struct live_block_table *t);

/*
 * 0; or 1: it replaces one whose end was not seen, now in *old; or what was not
 * done: -ENOMEM, -ERANGE of an address or a path that has no place here, -EBUSY
 * where somebody else was at it for ten seconds, which is LOSS_HEAP_LEFT.
 */
int live_blocks_insert(struct live_block_table *t, struct live_blocks_user *u,
    uintptr_t at, const struct live_block *b, struct live_block *old);

/* One is about to be entered: what that takes is asked for. */
void live_blocks_prefetch(struct live_block_table *t, uintptr_t at);

/* Taken out.  False: it is not there. */
bool live_blocks_remove(struct live_block_table *t, struct live_blocks_user *u,
    uintptr_t at, struct live_block *b);

/*
 * Before and after a fork whose child goes on with a call that is at it: with
 * an empty one.
 */
void live_blocks_fork_prepare(struct live_block_table *t);
void live_blocks_fork_child(struct live_block_table *t);

/*
 * Gives back the memory of a table that no lane points to any more.  A thread
 * that has been in the middle of a call since then reads an empty table.
 */
void live_blocks_discard(struct live_block_table *t);

/* Returns whether the limit (heapsize=) leaves no room for another table. */
bool live_blocks_is_full(const struct live_block_table *t);

/* Bytes of memory that it has asked for. */
uint64_t live_blocks_memory(const struct live_block_table *t);

#endif
