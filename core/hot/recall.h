/*
 * Context: S.  The call path of an allocation: what of the last one holds still
 * is not looked for again; doc/internals.md, section 22.
 */
#ifndef RECALL_H
#define RECALL_H

#include "lane.h"

/*
 * The format_heap of the path that the call came by.  0: it takes a search, by
 * the other one.  No system call; 200 bytes of stack.
 */
uint32_t recall_known(struct lane *l, const struct heap_from *from);

/* The same, whatever it takes.  0: no room, the loss is counted. */
uint32_t recall_search(struct lane *l, const struct heap_from *from);

/* Of mappings, which are rare: as a tick is walked. */
uint32_t recall_map(struct lane *l, const struct heap_from *from);

#endif
