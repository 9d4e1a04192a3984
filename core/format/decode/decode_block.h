/*
 * Context: P.  Blocks of a profile: a head that says how many items it has room
 * for, then the items.  Used by the decoder's files of arcs and logged ticks
 * only.
 */
#ifndef DECODE_BLOCK_H
#define DECODE_BLOCK_H

#include "decode/decode.h"

/* A kind of block. */
struct decode_block {
	size_t head, item;	/* bytes of the head and of an item */
	size_t room;		/* offset of the number of items in the head */
	const char *too_long;	/* fault: it passes the end of the data */
};

/* The items of a block that are still to be visited. */
struct decode_block_items {
	uint32_t index;		/* of the block; 0: before the first one */
	uint32_t left;		/* number of items */
	uint64_t at;		/* offset of the next one in the profile */
};

/*
 * Finds the number of items of a block whose head at `index` has been visited:
 * as many as it says, but in a truncated file no more than are there.  Counts a
 * truncated block in d->cut; in a sealed profile such a block is a fault.
 * Returns 0 with *count set, or -errno with *f set.
 */
int decode_block_check(struct decode *d, uint32_t index,
    const struct decode_block *kind, uint32_t *count, struct fault *f);

/*
 * Moves *items, whose `index` is 0 at first, to the next block of a list that
 * was checked.  list: index of the first block.  head: receives the head of the
 * block, of kind->head bytes.  Returns 1; 0 at the end; or -errno with *f set.
 */
int decode_block_next(const struct decode *d, uint32_t list,
    const struct decode_block *kind, struct decode_block_items *items,
    void *head, struct fault *f);

#endif
