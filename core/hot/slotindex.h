/*
 * Context: S.  Finds slots by an address or a thread's number, in constant
 * time.
 */
#ifndef SLOTINDEX_H
#define SLOTINDEX_H

#include "slot.h"

#define SLOT_CHUNK_BYTES	(SLOT_CHUNK * sizeof(struct slot))

/* Returns the number of a slot, which gives its chunk and its place there. */
unsigned slot_number(const struct slot *s);

/*
 * Makes the index; the caller does so before it adds a second chunk.  Returns
 * false if there is no memory.
 */
bool slot_index_begin(void);

/*
 * Enters the addresses of a chunk, before slots of it are taken.  Entering it
 * again is harmless.
 */
void slot_index_chunk(unsigned chunk);

/* Returns another live slot of the same thread, made by a sweep, or NULL. */
struct slot *slot_twin(const struct slot *s);

#endif
