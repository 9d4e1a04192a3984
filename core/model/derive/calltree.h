/*
 * Context: O.  The call tree by functions: who called whom, with the time of
 * each path.  prof's tree views, its summary of the heap and exporters make
 * one, after symbolize_all().
 */
#ifndef CALLTREE_H
#define CALLTREE_H

#include "base/model.h"
#include "base/hash_index.h"

/* Which end of stacks is the root of the tree. */
enum calltree_direction {
	/* from the outermost caller to what it called */
	CALLTREE_TOP_DOWN,
	/* from the function that used the time to its callers */
	CALLTREE_BOTTOM_UP,
};

/* A function on one path. */
struct calltree_node {
	uint32_t parent;	/* 0 = it is a root */
	uint32_t function;
	bool inlined;		/* it was inlined wherever it is on this path */
	bool visited, several;	/* for calltree_nodes.c */
	/*
	 * the place in the source that all of its paths have in common: line 0
	 * and file MODEL_NONE = none
	 */
	uint32_t file, line;
	/*
	 * most and least functions of one path that the node folds; 0 = it is
	 * one function.  If it folds several, `function` is any of them.
	 */
	uint32_t folds, folds_least;
	uint64_t self_ns;	/* time of the paths that end at this node */
	uint64_t count;		/* samples in self_ns */
	/* time of this node and of all nodes below it */
	uint64_t total_ns;
	uint64_t total_count;
	/* its children with time begin at order[first] */
	uint32_t first;
	uint32_t children;
};

/* A call tree. */
struct calltree {
	struct calltree_node *nodes;	/* nodes[0] is above the roots */
	size_t count, room;
	uint32_t *order;	/* children of each node, most time first */
	struct hash_index by_key;	/* by parent and function */
	/*
	 * frames of the same function that call each other are one:
	 * model.coarse
	 */
	bool merge;
	/*
	 * by function, whether it is of a library, and folded where one of a
	 * library called it; borrowed, NULL = nothing is folded
	 */
	const bool *library;
	struct calltree_step *path;	/* of the stack in work */
	size_t path_count, path_room;
	/*
	 * time of all stacks, also of those that were not selected; if the
	 * model has signs, of the selected ones that are not below zero
	 */
	uint64_t all_ns;
	/* time asleep of all threads, if the tree is of CPU time */
	uint64_t asleep_ns;
};

/*
 * Makes the tree of the stacks that the filters FILTER_FOCUS and FILTER_IGNORE
 * select: of their CPU time or, with filter.asleep, of their time asleep.  *t
 * need not be set.  Sets m->met for these filters.  "Time" is what rows have as
 * ns.  Paths below zero are removed and listed in m->below.  The model must
 * keep stacks; call it after symbolize_all().  Returns 0 or -ENOMEM; call
 * calltree_free() in either case.
 */
int calltree_make(struct calltree *t, struct model *m,
    enum calltree_direction way);

/*
 * Makes the tree as calltree_make() does, with the same result, but folds each
 * run of functions f with library[f] into one node, without the first one that
 * another function has called.  library[] must live as long as the tree.
 */
int calltree_make_folded(struct calltree *t, struct model *m,
    enum calltree_direction way, const bool *library);

/*
 * Returns whether a node stands for several functions, or for different ones on
 * different paths.
 */
static inline bool
calltree_is_fold(const struct calltree_node *n)
{
	return n->folds > 1 || n->several;
}

/* Returns the number of nodes on the longest path from a root to a leaf. */
size_t calltree_depth(const struct calltree *t);

/* Frees the tree. */
void calltree_free(struct calltree *t);

#endif
