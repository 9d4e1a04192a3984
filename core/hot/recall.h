/*
 * Context: S.  The call path of an allocation: what of the last one holds still
 * is not looked for again; doc/internals.md, section 22.
 */
#ifndef RECALL_H
#define RECALL_H

#include "lane.h"

/* With so much room behind it. */
size_t recall_bytes(void);
void recall_lay_out(struct recall *r, void *room, uint64_t random);

/* All: the nodes are those of another file, or the code is other code. */
void recall_forget(struct recall *r);

/*
 * False: text may have gone, and other text come to its place: all is
 * forgotten.
 */
static inline bool
recall_is_of_now(struct recall *r)
{
	const bool same = r->text_generation == atomic_load_explicit(
	    &mon->text_generation, memory_order_relaxed);

	if (!same)
		recall_forget(r);
	return same;
}

/*
 * Returns the index of the format_heap of the call path of `from` if it is the
 * path of the lane's last call, else 0.
 */
uint32_t recall_again(struct lane *l, const struct heap_from *from);

/*
 * Returns the index of the format_heap of the call path of `from` if an earlier
 * call of the lane came by it, else 0: the stack must be searched.  Makes a
 * system call only where the table of paths grows, five times in all; takes 300
 * bytes of stack.
 */
uint32_t recall_known(struct lane *l, const struct heap_from *from);

/*
 * Returns the index of the format_heap of the call path of `from`, which it
 * searches the stack for.  Returns 0 or RECALL_LOST where the file has no room;
 * the caller counts the loss.
 */
uint32_t recall_search(struct lane *l, const struct heap_from *from);

/* Of mappings, which are rare: as a tick is walked. */
uint32_t recall_map(struct lane *l, const struct heap_from *from);

#endif
