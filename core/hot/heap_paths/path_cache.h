/*
 * Context: S.  The call path of an allocation: what of the last one holds still
 * is not looked for again; doc/internals.md, section 22.
 */
#ifndef PATH_CACHE_H
#define PATH_CACHE_H

#include "heap/alloc_thread.h"

/* With so much room behind it. */
size_t path_cache_bytes(void);
void path_cache_init(struct path_cache *r, void *room, uint64_t random);

/* All: the nodes are those of another file, or the code is other code. */
void path_cache_reset(struct path_cache *r);

/*
 * False: text may have gone, and other text come to its place: all is
 * forgotten.
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
 * Returns the index of the format_heap of the call path of `from` if it is the
 * path of the lane's last call, else 0.
 */
uint32_t path_cache_same_path(struct alloc_thread *l,
    const struct alloc_caller *from);

/*
 * Returns the index of the format_heap of the call path of `from` if an earlier
 * call of the lane came by it, else 0: the stack must be searched.  Makes a
 * system call only where the table of paths grows, five times in all; takes 300
 * bytes of stack.
 */
uint32_t path_cache_lookup(struct alloc_thread *l,
    const struct alloc_caller *from);

/*
 * Returns the index of the format_heap of the call path of `from`, which it
 * searches the stack for.  Returns 0 or PATH_CACHE_LOST where the file has no
 * room; the caller counts the loss.
 */
uint32_t path_cache_resolve(struct alloc_thread *l,
    const struct alloc_caller *from);

/* Of mappings, which are rare: as a tick is walked. */
uint32_t path_cache_resolve_map(struct alloc_thread *l,
    const struct alloc_caller *from);

#endif
