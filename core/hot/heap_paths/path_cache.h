/*
 * Context: S.  Finds the call path of an allocation in a cache that each
 * alloc_thread has; doc/design/path-cache.md.  Only the alloc_thread's thread
 * calls it, in the middle of a counted call: alloc_count.c and alloc_slow.c,
 * which try, in this order; alloc_thread.c makes and resets the cache:
 *
 * path_cache_same_path(): the call comes by the path of the alloc_thread's last
 * call.
 *
 * path_cache_lookup(): it comes by a path that followed the last one before, or
 * its frames are known, which is found out frame by frame; outer frames that
 * have not changed since the last call are not looked at again.
 *
 * path_cache_resolve(): the stack is walked, and nodes are made.
 */
#ifndef PATH_CACHE_H
#define PATH_CACHE_H

#include "heap/alloc_thread.h"

/*
 * path_cache_bytes() returns the size of a cache's buffers, in bytes.
 * path_cache_init() initializes *r with such buffers at `room`; random: any
 * number, which differs from alloc_thread to alloc_thread.
 */
size_t path_cache_bytes(void);
void path_cache_init(struct path_cache *r, void *room, uint64_t random);

/*
 * Forgets all paths, because the file with their nodes, or the program's code,
 * is another one, or because the file has room again.  The thread that owns the
 * alloc_thread calls it.
 */
void path_cache_reset(struct path_cache *r);

/*
 * Returns whether no code has been unmapped since the cache was filled.
 * Otherwise other code may have come to its place: forgets all paths, and
 * returns false.
 */
static inline bool
path_cache_validate(struct path_cache *r)
{
	const bool same = r->text_generation == atomic_load_explicit(
	    &mon->text_generation, memory_order_relaxed);

	if (!same)
		path_cache_reset(r);
	return same;
}

/*
 * Returns the index of the format_heap of the call path of `from`, or
 * PATH_CACHE_LOST if the file had no room for that; 0 if the path is not that
 * of the alloc_thread's last call.
 */
uint32_t path_cache_same_path(struct alloc_thread *l,
    const struct alloc_caller *from);

/*
 * Returns the index of the format_heap of the call path of `from`, or
 * PATH_CACHE_LOST if the file had no room for that; 0 if no earlier call of the
 * alloc_thread came by the path, so that the stack must be searched.  Makes a
 * system call only where the table of paths grows, five times in all; takes 300
 * bytes of stack.
 */
uint32_t path_cache_lookup(struct alloc_thread *l,
    const struct alloc_caller *from);

/*
 * Walks the stack, and returns the index of the format_heap of the call path of
 * `from`, which it makes if it is new.  Returns 0 or PATH_CACHE_LOST if the
 * file has no room; the caller counts the loss.  Runs on the alloc_thread's
 * stack with signals blocked; in a frozen process on the caller's stack, with
 * signals as they are.  Only alloc_slow.c calls it.
 */
uint32_t path_cache_resolve(struct alloc_thread *l,
    const struct alloc_caller *from);

/*
 * Returns the index of the format_heap that counts mappings by the call path of
 * `from`, or 0 if the file has no room; the caller counts the loss.  Walks the
 * stack as a tick does and caches nothing, because mappings are rare.  Runs
 * where path_cache_resolve() does.
 */
uint32_t path_cache_resolve_map(struct alloc_thread *l,
    const struct alloc_caller *from);

#endif
