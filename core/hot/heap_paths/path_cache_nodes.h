/* Context: S.  The nodes of frames, remembered; see path_cache_types.h. */
#ifndef PATH_CACHE_NODES_H
#define PATH_CACHE_NODES_H

#include "heap/alloc_thread.h"

static inline struct path_cache_node *
path_cache_nodes_slot(struct path_cache *r, uint32_t parent, uint64_t frame)
{
	const uint64_t h = (frame ^ (uint64_t)parent << 20) *
	    0x9e3779b97f4a7c15u;

	return &r->known[h >> 54 & (PATH_CACHE_NODES - 1)];
}

void path_cache_nodes_store(struct path_cache *r, uint32_t parent,
    uint64_t frame, uint32_t node);

/*
 * Of the tree, as more paths are in use than there is room for; 0: not known.
 */
uint32_t path_cache_nodes_from_tree(struct alloc_thread *l, uint32_t parent,
    uint64_t frame);

/*
 * What is below that node: a frame as stack_walk.h has it, or PATH_CACHE_HEAP.
 * The same.
 */
static inline uint32_t
path_cache_nodes_child(struct alloc_thread *l, uint32_t parent, uint64_t frame)
{
	const struct path_cache_node *k = path_cache_nodes_slot(&l->recall,
	    parent, frame);

	return k->frame == frame && k->parent == parent ? k->node :
	    path_cache_nodes_from_tree(l, parent, frame);
}

/*
 * Of the frames of a call: their format_heap, if it and all nodes are there.
 * Not twice of those that are kept.
 */
uint32_t path_cache_nodes_find_path(struct alloc_thread *l,
    struct path_cache *r);

/*
 * The same, made if it is not there: no room is 0, and the loss is counted.  Of
 * a path that allocates its format_heap.  r NULL: nothing is remembered.
 */
uint32_t path_cache_nodes_add(struct path_cache *r, uint32_t parent,
    uint64_t frame);
uint32_t path_cache_nodes_add_heap(struct path_cache *r, uint32_t node);
uint32_t path_cache_nodes_add_path(struct alloc_thread *l,
    struct path_cache *r);

#endif
