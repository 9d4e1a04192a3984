/*
 * Context: S.  Slots found by an address or a thread's number, in as many steps
 * however many there are.
 */
#ifndef SLOTINDEX_H
#define SLOTINDEX_H

#include "slot.h"

#define SLOT_CHUNK_BYTES	(SLOT_CHUNK * sizeof(struct slot))

/* The number of a slot, by which its chunk and its place are known. */
unsigned slot_number(const struct slot *s);

/* Make the index, before a second chunk comes; false: there is no memory. */
bool slot_index_begin(void);

/* Enter a chunk by its addresses, before slots of it are taken; again harmless. */
void slot_index_chunk(unsigned chunk);

/* A live slot of the same thread, made by a sweep; NULL there is none. */
struct slot *slot_twin(const struct slot *s);

#endif
