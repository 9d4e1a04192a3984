/* Context: S.  Nodes of frames; see recallname.h. */
#include "recallname.h"

#include "path.h"
#include "tree.h"

/*
 * A handler may leave this by siglongjmp(): no parent is 0, so that what is
 * half written is never found.
 */
void
recall_remember(struct recall *r, uint32_t parent, uint64_t frame,
    uint32_t node)
{
	struct recall_known *k = recall_known_at(r, parent, frame);

	k->parent = 0;
	atomic_signal_fence(memory_order_seq_cst);
	k->frame = frame;
	k->node = node;
	atomic_signal_fence(memory_order_seq_cst);
	k->parent = parent;
}

__attribute__((noinline)) uint32_t
recall_look_up(struct lane *l, uint32_t parent, uint64_t frame)
{
	const uint32_t node = frame == RECALL_HEAP ?
	    tree_known(l->base, parent, FORMAT_HEAP, 0, 0) :
	    path_known(l->base, parent, frame);

	if (node != 0)
		recall_remember(&l->recall, parent, frame, node);
	return node;
}

/* A place that no map has had yet is looked for again. */
uint32_t
recall_find(struct recall *r, uint32_t parent, uint64_t frame)
{
	const struct format_node *node = path_frame(parent, frame);

	if (node == NULL)
		return 0;
	if (r != NULL && node->how != FORMAT_HOW_NOWHERE)
		recall_remember(r, parent, frame, tree_index(node));
	return tree_index(node);
}

uint32_t
recall_find_heap(struct recall *r, uint32_t node)
{
	const struct format_node *heap = node == 0 ? NULL :
	    tree_find(node, FORMAT_HEAP, 0, 0);

	if (heap == NULL)
		return 0;
	recall_remember(r, node, RECALL_HEAP, tree_index(heap));
	return tree_index(heap);
}

typedef uint32_t below(struct lane *, uint32_t parent, uint64_t frame);

/* 0: the node of one is not there. */
static uint32_t
name_frames(struct lane *l, struct recall *r, below *find)
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
known_below(struct lane *l, uint32_t parent, uint64_t frame)
{
	return recall_below(l, parent, frame);
}

static uint32_t
found_below(struct lane *l, uint32_t parent, uint64_t frame)
{
	return recall_find(&l->recall, parent, frame);
}

uint32_t
recall_name(struct lane *l, struct recall *r)
{
	const uint32_t node = name_frames(l, r, known_below);

	return node == 0 ? 0 : recall_below(l, node, RECALL_HEAP);
}

uint32_t
recall_name_new(struct lane *l, struct recall *r)
{
	return recall_find_heap(r, name_frames(l, r, found_below));
}
