/*
 * Context: S.  The blocks of the program's heap that are live, and whose they
 * are; doc/internals.md, section 22.
 *
 * No two threads may be at one address at once, as none are that free a block
 * once.  All may be at work at different ones.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "state.h"

struct block {
	uint32_t path;		/* record in the file, not 0, below BLOCKS_PATHS */
	uint64_t bytes;
};

#define BLOCKS_PATHS	(1u << 28)	/* 4 GiB of a file */

/*
 * A thread, while it is at a table: a number of its own, not 0.  One that was
 * interrupted there, and does not go back to it, gives up what it holds.
 */
struct blocks_user {
	uint32_t id;
	struct region *at;
};
void blocks_left(struct blocks *t, struct blocks_user *u);

/*
 * A table of at most so many bytes, of paths in that generation of the store.
 * NULL: there is no memory.
 */
struct blocks *blocks_make(uint64_t most, unsigned generation);
unsigned blocks_generation(const struct blocks *t);

/*
 * 0; or 1: it replaces one whose end was not seen, now in *old; or what was not
 * done: -ENOMEM, -ERANGE of an address or a path that has no place here, -EBUSY
 * where somebody else was at it for ten seconds, which is LOSS_HEAP_LEFT.
 */
int blocks_enter(struct blocks *t, struct blocks_user *u, uintptr_t at,
    const struct block *b, struct block *old);

/* One is about to be entered: what that takes is asked for. */
void blocks_fetch(struct blocks *t, uintptr_t at);

/* Taken out.  False: it is not there. */
bool blocks_take(struct blocks *t, struct blocks_user *u, uintptr_t at,
    struct block *b);

/*
 * Before and after a fork whose child goes on with a call that is at it: with
 * an empty one.
 */
void blocks_keep(struct blocks *t);
void blocks_empty(struct blocks *t);

/*
 * Gives back the memory of a table that no lane points to any more.  A thread
 * that has been in the middle of a call since then reads an empty table.
 */
void blocks_discard(struct blocks *t);

/* Returns whether the limit (heapsize=) leaves no room for another table. */
bool blocks_is_full(const struct blocks *t);

/* Bytes of memory that it has asked for. */
uint64_t blocks_memory(const struct blocks *t);

#endif
