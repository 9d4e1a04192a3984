/*
 * Context: S.  A thread's arcs by address; doc/internals.md, section 14.
 *
 * One thread counts in a shard; others only take entries out of it.
 */
#ifndef SHARD_H
#define SHARD_H

#include "state.h"

/* The calling thread's: made, or taken over.  NULL: no memory. */
struct arc_shard *shard_own(void);

/* No address of a function is as low: free entries, and such taken out. */
#define SHARD_NO_PLACE	1u

/*
 * A new arc is made by one at a time: not by a signal's handler upon another,
 * nor by two threads with one set of thread-local variables.  False: it is.
 */
bool shard_claim(struct arc_shard *t);
void shard_release(struct arc_shard *t);

/* The same, with room for this arc, if memory can be had.  Moves arc_own. */
struct arc_shard *shard_with_room(struct arc_shard *t, uintptr_t self,
    uintptr_t from);

/* Where the arc's calls are counted; NULL not known. */
uint64_t *shard_find(struct arc_shard *t, uintptr_t self, uintptr_t from);

/* One of this key that was taken out of that place is back there; or NULL. */
struct format_arc *shard_revive(struct arc_shard *t, uintptr_t self,
    uintptr_t from, const struct format_arc *key);

/* Enter an arc that is not there.  Nothing where its place is crowded. */
void shard_enter(struct arc_shard *t, uintptr_t self, uintptr_t from,
    struct format_arc *arc);

/* Forget all: its arcs are in a file that is gone. */
void shard_clear(struct arc_shard *t);

/* Its stack's end. */
void *shard_stack(struct arc_shard *t);

/* The calling thread ends; another goes on with its shard once it is gone. */
void shard_leave(void);

/*
 * lineage.paused, the bit of this one: calls of known arcs are counted in no
 * file while any holds.  Any thread, signal handlers, several at once.
 */
void shard_pause(unsigned who, bool paused);

/* Text was unmapped: take it out of all shards. */
void shard_forget(uintptr_t low, uintptr_t high);

#endif
