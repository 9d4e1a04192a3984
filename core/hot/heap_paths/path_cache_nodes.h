/*
 * Context: S.  Finds and makes the nodes of a call's frames in the lane's call
 * tree, and remembers them in the cache.  A frame is given as stack_walk.h has
 * it, or as PATH_CACHE_HEAP for a node's format_heap; see path_cache_types.h.
 */
#ifndef PATH_CACHE_NODES_H
#define PATH_CACHE_NODES_H

#include "heap/alloc_thread.h"

/* Returns the place in the cache of the node of `frame` below `parent`. */
static inline struct path_cache_node *
path_cache_nodes_slot(struct path_cache *r, uint32_t parent, uint64_t frame)
{
	const uint64_t h = (frame ^ (uint64_t)parent << 20) *
	    0x9e3779b97f4a7c15u;

	return &r->known[h >> 54 & (PATH_CACHE_NODES - 1)];
}

/* Remembers that `node` is the node of `frame` below `parent`. */
void path_cache_nodes_store(struct path_cache *r, uint32_t parent,
    uint64_t frame, uint32_t node);

/*
 * Returns the node of `frame` below `parent` from the tree, and remembers it,
 * because more nodes are in use than the cache has room for; 0: the tree does
 * not have it.
 */
uint32_t path_cache_nodes_from_tree(struct alloc_thread *l, uint32_t parent,
    uint64_t frame);

/*
 * Returns the node of `frame` below `parent`, from the cache or the tree; 0: it
 * is not known.
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
 * Returns the index of the format_heap of the call whose frames are in
 * r->frame, or 0 if that or a node of a frame does not exist.  Frames that keep
 * their nodes are not looked up again.
 */
uint32_t path_cache_nodes_find_path(struct alloc_thread *l,
    struct path_cache *r);

/*
 * Return the same as path_cache_nodes_child() and path_cache_nodes_find_path(),
 * but make nodes that do not exist: path_cache_nodes_add() that of a frame,
 * path_cache_nodes_add_heap() the format_heap below a node,
 * path_cache_nodes_add_path() all nodes of a call.  Return 0 if the file has no
 * room, which is counted as a loss.  r: the cache; NULL, for
 * path_cache_nodes_add() only: remembers nothing.
 */
uint32_t path_cache_nodes_add(struct path_cache *r, uint32_t parent,
    uint64_t frame);
uint32_t path_cache_nodes_add_heap(struct path_cache *r, uint32_t node);
uint32_t path_cache_nodes_add_path(struct alloc_thread *l,
    struct path_cache *r);

#endif
