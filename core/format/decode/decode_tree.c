/*
 * Context: P.  Walks the call trees of a profile, checking each node:
 * decode_tree() of decode.h, for all readers of counts.
 */
#include "decode/decode.h"

#include "decode/decode_index.h"

#include <stddef.h>
#include <string.h>

/*
 * Claims the rest of a node's record if its kind has a format_heap.  Returns 1,
 * 0 if the file is truncated there, or -errno.
 */
static int
claim_heap_record(struct decode *d, uint64_t from, uint32_t index,
    struct fault *f)
{
	const size_t node = sizeof(struct format_node);
	int got = decode_index_peek(d, from, index, sizeof(struct format_heap),
	    f);

	if (got == DECODE_INDEX_TRUNCATED) {
		d->cut++;
		return 0;
	}
	if (got == 1)
		got = decode_index_claim(d, from, index + node / FORMAT_UNIT,
		    sizeof(struct format_heap) - node, f);
	return got < 0 ? got : 1;
}

/*
 * Reads the node that the link at `from` makes a child of `parent`, and claims
 * it.  Returns 1, 0 if there is none or it is truncated, or -errno with *f set.
 */
static int
visit_tree_node(struct decode *d, uint64_t from, uint32_t index,
    uint32_t parent, struct format_node *n, struct fault *f)
{
	uint64_t at = decode_index_offset(index);
	int got = decode_index_visit(d, from, index, sizeof(*n), f);

	if (got != 1)
		return got;
	memcpy(n, d->bytes + at, sizeof(*n));
	if (n->parent != parent)
		return fault_set(f, "a node is linked from another parent "
		    "than its own", at, 0);
	if (index < parent)
		return fault_set(f, "a node lies before its parent", at, 0);
	if (n->kind == FORMAT_ROOT)
		return fault_set(f, "a root lies inside a tree",
		    at + offsetof(struct format_node, kind), 0);
	got = decode_index_check_module(d, at + offsetof(struct format_node,
	    module), n->module, f);
	if (got == 0)
		got = format_has_heap(n->kind) ? claim_heap_record(d, from,
		    index, f) : 1;
	return got;
}

/*
 * Reads the next node in depth-first order: the first child of *at, which *n
 * is, else the sibling of the nearest ancestor that has one.  Climbing is safe:
 * each parent up to the root was read and checked on the way down.  Returns 1
 * with *at and *n set; 0 at the end; or -errno with *f set.
 */
static int
next_tree_node(struct decode *d, uint32_t root, uint32_t *at,
    struct format_node *n, struct fault *f)
{
	uint64_t from = decode_index_offset(*at) + offsetof(struct format_node,
	    child);
	uint32_t next = n->child, parent = *at;
	int got = visit_tree_node(d, from, next, parent, n, f);

	while (got == 0 && *at != root) {
		memcpy(n, d->bytes + decode_index_offset(*at), sizeof(*n));
		from = decode_index_offset(*at) + offsetof(struct format_node,
		    sibling);
		next = n->sibling;
		parent = n->parent;
		got = visit_tree_node(d, from, next, parent, n, f);
		if (got == 0)
			*at = parent;
	}
	if (got == 1)
		*at = next;
	return got;
}

int
decode_tree(struct decode *d, uint32_t root, decode_visit *visit, void *arg,
    struct fault *f)
{
	struct format_node n;
	uint32_t at = root;
	int got = decode_index_peek(d, decode_index_offset(root), root,
	    sizeof(n), f);

	if (got == DECODE_INDEX_TRUNCATED)
		return 0;
	if (got == 1)
		memcpy(&n, d->bytes + decode_index_offset(root), sizeof(n));
	while (got == 1 && (got = next_tree_node(d, root, &at, &n, f)) == 1) {
		int stop = visit(arg, at, &n);

		if (stop != 0)
			return stop;
	}
	return got;
}
