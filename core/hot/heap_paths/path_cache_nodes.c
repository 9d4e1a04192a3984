/*
 * Context: S.  Finds, makes and remembers nodes of frames; see
 * path_cache_nodes.h.
 */
#include "heap_paths/path_cache_nodes.h"

#include "count/cct.h"
#include "count/tick_path.h"

/*
 * A handler may leave this function by siglongjmp().  No parent has index 0, so
 * an entry that is half written is never found.
 */
void
path_cache_nodes_store(struct path_cache *r, uint32_t parent, uint64_t frame,
    uint32_t node)
{
	struct path_cache_node *k = path_cache_nodes_slot(r, parent, frame);

	k->parent = 0;
	atomic_signal_fence(memory_order_seq_cst);
	k->frame = frame;
	k->node = node;
	atomic_signal_fence(memory_order_seq_cst);
	k->parent = parent;
}

__attribute__((noinline)) uint32_t
path_cache_nodes_from_tree(struct alloc_thread *l, uint32_t parent,
    uint64_t frame)
{
	const uint32_t node = frame == PATH_CACHE_HEAP ?
	    cct_find(l->base, parent, FORMAT_HEAP, 0, 0) :
	    tick_path_find_known(l->base, parent, frame);

	if (node != 0)
		path_cache_nodes_store(&l->recall, parent, frame, node);
	return node;
}

/*
 * A place that was in no memory map is not remembered, and is looked for again.
 */
uint32_t
path_cache_nodes_add(struct path_cache *r, uint32_t parent, uint64_t frame)
{
	const struct format_node *node = tick_path_add_frame(parent, frame);

	if (node == NULL)
		return 0;
	if (r != NULL && node->how != FORMAT_HOW_UNMAPPED)
		path_cache_nodes_store(r, parent, frame, cct_index(node));
	return cct_index(node);
}

uint32_t
path_cache_nodes_add_heap(struct path_cache *r, uint32_t node)
{
	const struct format_node *heap = node == 0 ? NULL :
	    cct_find_or_add(node, FORMAT_HEAP, 0, 0);

	if (heap == NULL)
		return 0;
	path_cache_nodes_store(r, node, PATH_CACHE_HEAP, cct_index(heap));
	return cct_index(heap);
}

typedef uint32_t child_finder(struct alloc_thread *, uint32_t parent,
    uint64_t frame);

/*
 * Finds the nodes of all frames from the outermost in, and returns the last; 0:
 * a frame has none.
 */
static uint32_t
find_frame_nodes(struct alloc_thread *l, struct path_cache *r,
    child_finder *find)
{
	unsigned n = r->count;
	uint32_t node;

	while (n > 0 && r->frame[n - 1].node == 0)
		n--;
	node = n == 0 ? l->root : r->frame[n - 1].node;
	for (; n < r->count && node != 0; n++)
		node = r->frame[n].node = find(l, node, r->frame[n].pc);
	return node;
}

static uint32_t
find_known_child(struct alloc_thread *l, uint32_t parent, uint64_t frame)
{
	return path_cache_nodes_child(l, parent, frame);
}

static uint32_t
add_child_node(struct alloc_thread *l, uint32_t parent, uint64_t frame)
{
	return path_cache_nodes_add(&l->recall, parent, frame);
}

uint32_t
path_cache_nodes_find_path(struct alloc_thread *l, struct path_cache *r)
{
	const uint32_t node = find_frame_nodes(l, r, find_known_child);

	return node == 0 ? 0 : path_cache_nodes_child(l, node, PATH_CACHE_HEAP);
}

uint32_t
path_cache_nodes_add_path(struct alloc_thread *l, struct path_cache *r)
{
	return path_cache_nodes_add_heap(r, find_frame_nodes(l, r,
	    add_child_node));
}
