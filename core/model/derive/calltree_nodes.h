/*
 * Context: O.  Finds and makes the nodes of a call tree, for calltree.c: a path
 * is added step by step, and runs of library functions can be folded.
 */
#ifndef CALLTREE_NODES_H
#define CALLTREE_NODES_H

#include "derive/calltree.h"

/* A function on a path, and where it was in its source. */
struct calltree_step {
	uint32_t function;
	bool inlined;
	uint32_t file, line;	/* MODEL_NONE and 0 = not known */
};

/* The end of a path that is being added. */
struct calltree_end {
	uint32_t node;		/* 0 = above the roots */
	uint32_t folded;	/* functions of the path that `node` folds */
	bool library;		/* its last function is of a library */
};

/*
 * Adds a step below *at, and sets *at to the new end; *at is all 0 above the
 * roots.  `fold` adds it to the folded functions there.  Returns 0 or -ENOMEM.
 */
int calltree_nodes_add(struct calltree *t, struct calltree_end *at,
    const struct calltree_step *s, bool fold);

/* Notes that a path ends at *at: how many functions its last node folds. */
void calltree_nodes_end(struct calltree *t, const struct calltree_end *at);

#endif
