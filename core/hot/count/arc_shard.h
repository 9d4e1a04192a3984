/*
 * Context: S.  A thread's arcs by address; doc/internals.md, section 14.
 *
 * One thread counts in a shard; others only take entries out of it.
 */
#ifndef ARC_SHARD_H
#define ARC_SHARD_H

#include "base/state.h"

/* The calling thread's: made, or taken over.  NULL: no memory. */
struct arc_shard *arc_shard_get(void);

/* No address of a function is as low: free entries, and such taken out. */
#define ARC_SHARD_NO_ADDRESS	1u

/*
 * A new arc is made by one at a time: not by a signal's handler upon another,
 * nor by two threads with one set of thread-local variables.  False: it is.
 */
bool arc_shard_claim(struct arc_shard *t);
void arc_shard_release(struct arc_shard *t);

/*
 * The same, with room for this arc, if memory can be had. Moves arc_shard_self.
 */
struct arc_shard *arc_shard_make_room(struct arc_shard *t, uintptr_t self,
    uintptr_t from);

/* Where the arc's calls are counted; NULL not known. */
uint64_t *arc_shard_find(struct arc_shard *t, uintptr_t self, uintptr_t from);

/* One of this key that was taken out of that place is back there; or NULL. */
struct format_arc *arc_shard_revive(struct arc_shard *t, uintptr_t self,
    uintptr_t from, const struct format_arc *key);

/* Enter an arc that is not there.  Nothing where its place is crowded. */
void arc_shard_add(struct arc_shard *t, uintptr_t self, uintptr_t from,
    struct format_arc *arc);

/* Forget all: its arcs are in a file that is gone. */
void arc_shard_clear(struct arc_shard *t);

/* Its stack's end. */
void *arc_shard_stack(struct arc_shard *t);

/* The calling thread ends; another goes on with its shard once it is gone. */
void arc_shard_thread_exit(void);

/*
 * lineage.paused, the bit of this one: calls of known arcs are counted in no
 * file while any holds.  Any thread, signal handlers, several at once.
 */
void arc_shard_set_paused(unsigned who, bool paused);

/* Text was unmapped: take it out of all shards. */
void arc_shard_forget_text(uintptr_t low, uintptr_t high);

#endif
