/*
 * Context: S.  The index that finds slots by an address or a thread's id, in
 * constant time, for thread_slot.c.  thread_slot.h declares the searches that
 * others use.
 */
#ifndef THREAD_SLOT_INDEX_H
#define THREAD_SLOT_INDEX_H

#include "thread/thread_slot.h"

/* Size of a chunk, bytes. */
#define THREAD_SLOT_CHUNK_BYTES	(THREAD_SLOT_CHUNK * sizeof(struct thread_slot))

/* Returns the number of a slot, which gives its chunk and its place there. */
unsigned thread_slot_number(const struct thread_slot *s);

/*
 * Makes the index, unless it exists.  The caller does so before it adds a
 * second chunk.  Returns false if there is no memory.
 */
bool thread_slot_index_make(void);

/*
 * Enters the addresses of a chunk into the index, which exists, before slots of
 * it are taken.  Entering it again is harmless.
 */
void thread_slot_index_chunk(unsigned chunk);

/*
 * Returns another live slot of the same thread, which a scan has made, or NULL.
 */
struct thread_slot *thread_slot_duplicate(const struct thread_slot *s);

#endif
