/* Context: S.  The nodes of frames, remembered; see recalled.h. */
#ifndef RECALLNAME_H
#define RECALLNAME_H

#include "lane.h"

static inline struct recall_known *
recall_known_at(struct recall *r, uint32_t parent, uint64_t frame)
{
	const uint64_t h = (frame ^ (uint64_t)parent << 20) *
	    0x9e3779b97f4a7c15u;

	return &r->known[h >> 54 & (RECALL_KNOWN - 1)];
}

void recall_remember(struct recall *r, uint32_t parent, uint64_t frame,
    uint32_t node);

/*
 * Of the tree, as more paths are in use than there is room for; 0: not known.
 */
uint32_t recall_look_up(struct lane *l, uint32_t parent, uint64_t frame);

/*
 * What is below that node: a frame as walk.h has it, or RECALL_HEAP.  The same.
 */
static inline uint32_t
recall_below(struct lane *l, uint32_t parent, uint64_t frame)
{
	const struct recall_known *k = recall_known_at(&l->recall, parent,
	    frame);

	return k->frame == frame && k->parent == parent ? k->node :
	    recall_look_up(l, parent, frame);
}

/*
 * Of the frames of a call: their format_heap, if it and all nodes are there.
 * Not twice of those that are kept.
 */
uint32_t recall_name(struct lane *l, struct recall *r);

/*
 * The same, made if it is not there: no room is 0, and the loss is counted.  Of
 * a path that allocates its format_heap.  r NULL: nothing is remembered.
 */
uint32_t recall_find(struct recall *r, uint32_t parent, uint64_t frame);
uint32_t recall_find_heap(struct recall *r, uint32_t node);
uint32_t recall_name_new(struct lane *l, struct recall *r);

#endif
