/*
 * Context: O.  Finds and makes the nodes of a report's tree, which are
 * functions, not the nodes of the file; for calltree.c; see calltree_nodes.h.
 */
#include "derive/calltree_nodes.h"

#include "base/vector.h"

#include <errno.h>

/* In the hash index, stands for the function of a node that folds steps. */
#define FOLD	UINT32_MAX

/*
 * Returns the node of a function below that parent, after making the node if it
 * is missing; 0, which is the root and no child, if there is no memory.
 */
static uint32_t
find_or_add_child(struct calltree *t, uint32_t parent, uint32_t function,
    bool fold)
{
	const uint32_t hash = hash_index_hash((uint64_t)parent << 32 |
	    (fold ? FOLD : function));
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&t->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (t->nodes[n].parent == parent && (fold ?
		    t->nodes[n].folds != 0 : t->nodes[n].folds == 0 &&
		    t->nodes[n].function == function))
			return n;
	if (t->count >= UINT32_MAX - 1 || vector_grow(&t->nodes, t->count,
	    &t->room, sizeof(*t->nodes)) != 0 || hash_index_add(&t->by_key,
	    hash, (uint32_t)t->count) != 0)
		return 0;
	t->nodes[t->count] = (struct calltree_node) {
		.parent = parent, .function = function,
		.inlined = true,	/* until a visit is not */
		.folds_least = UINT32_MAX,
	};
	return (uint32_t)t->count++;
}

/* Keeps what all visits of a node have in common: file, line, inlining. */
static void
note_visit(struct calltree_node *n, const struct calltree_step *s)
{
	n->inlined &= s->inlined;
	if (!n->visited) {
		n->file = s->file;
		n->line = s->line;
	}
	n->visited = true;
	if (n->file != s->file)
		n->file = MODEL_NONE;
	if (n->line != s->line)
		n->line = 0;
}

/*
 * Folds a step.  The first of a run goes to the fold node below *at, and *at
 * becomes that node; the next ones are counted there.  Returns 0 or -ENOMEM.
 */
static int
add_folded(struct calltree *t, struct calltree_end *at,
    const struct calltree_step *s)
{
	struct calltree_node *n;

	if (at->folded == 0)
		at->node = find_or_add_child(t, at->node, s->function, true);
	if (at->node == 0)
		return -ENOMEM;
	n = &t->nodes[at->node];
	at->folded++;
	if (at->folded > n->folds)
		n->folds = at->folded;
	n->several |= n->function != s->function;
	note_visit(n, s);
	return 0;
}

int
calltree_nodes_add(struct calltree *t, struct calltree_end *at,
    const struct calltree_step *s, bool fold)
{
	if (fold)
		return add_folded(t, at, s);
	calltree_nodes_end(t, at);
	at->folded = 0;
	if (!t->merge || at->node == 0 ||
	    t->nodes[at->node].function != s->function)
		at->node = find_or_add_child(t, at->node, s->function,
		    false);
	if (at->node == 0)
		return -ENOMEM;
	note_visit(&t->nodes[at->node], s);
	return 0;
}

void
calltree_nodes_end(struct calltree *t, const struct calltree_end *at)
{
	if (at->folded != 0 && at->folded < t->nodes[at->node].folds_least)
		t->nodes[at->node].folds_least = at->folded;
}
