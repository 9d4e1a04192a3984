/*
 * Context: S.  The arcs of one thread, in a hash table by address;
 * doc/design/calls.md.  arc.c and thread_arcs.c call it in the shard's thread;
 * any thread may call arc_shard_set_paused() and arc_shard_forget_text(), which
 * change all shards.  None makes a system call.
 *
 * Only its own thread adds entries and counts in a shard; other threads only
 * remove entries, and switch their counters between the file and a counter that
 * is in no file.  In all functions below, `self` is the address of the called
 * function and `from` that of the call.
 */
#ifndef ARC_SHARD_H
#define ARC_SHARD_H

#include "base/state.h"

/*
 * Values of an entry's `self` up to this one mark the entry as free or removed;
 * no function has so low an address.
 */
#define ARC_SHARD_NO_ADDRESS	1u

/*
 * arc_shard_claim() lets the caller add to the shard, until
 * arc_shard_release().  Returns false if the shard is claimed already: by the
 * code that this signal handler has interrupted, by code that a handler left
 * with longjmp(3), after which the shard takes no more arcs, or by a child of
 * vfork(2) or clone(2) that has the same thread-local variables.
 */
bool arc_shard_claim(struct arc_shard *t);
void arc_shard_release(struct arc_shard *t);

/*
 * Returns the counter of an arc's calls, or NULL if the shard does not have the
 * arc.  The shard's thread calls it, and needs no claim.
 */
uint64_t *arc_shard_find(struct arc_shard *t, uintptr_t self, uintptr_t from);

/*
 * Looks for a removed entry whose arc in the file has this key.  Puts the entry
 * back and returns its arc, so that calls in code that was unmapped and mapped
 * again go on with the old record; or returns NULL.  The caller has claimed the
 * shard.
 */
struct format_arc *arc_shard_revive(struct arc_shard *t, uintptr_t self,
    uintptr_t from, const struct format_arc *key);

/*
 * Adds an arc that the shard does not have.  Does nothing if the few entries
 * where its hash puts it are taken; then the next call makes another record of
 * the arc in the file, and tools add the records up.  The caller has claimed
 * the shard.
 */
void arc_shard_add(struct arc_shard *t, uintptr_t self, uintptr_t from,
    struct format_arc *arc);

/*
 * Removes all entries, because their arcs are in a file that is gone.  The
 * caller has claimed the shard.
 */
void arc_shard_clear(struct arc_shard *t);

/*
 * Sets or clears the bits `who` of lineage.paused, and makes mcount count calls
 * of known arcs in a counter of no file while any bit of LINEAGE_PAUSED or
 * LINEAGE_UNTIMED is set.  Whoever changes one of these bits calls it: orders,
 * moncontrol() and the writers of classic files.  Any thread and any signal
 * handler may call it, several at once.
 */
void arc_shard_set_paused(unsigned who, bool paused);

/*
 * Removes the arcs from or to addresses in [low, high), which were unmapped,
 * from all shards; [0, UINTPTR_MAX) removes all arcs, because the file is lost.
 * The thread that reads the map calls it, and the handler of SIGBUS.
 */
void arc_shard_forget_text(uintptr_t low, uintptr_t high);

#endif
