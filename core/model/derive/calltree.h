/* Context: O.  Functions and whom they called, with the time of each. */
#ifndef CALLTREE_H
#define CALLTREE_H

#include "base/model.h"
#include "hash_index.h"

enum calltree_direction {
	/* from the outermost caller to what it called */
	CALLTREE_TOP_DOWN,
	/* from where the time went to who called that */
	CALLTREE_BOTTOM_UP,
};

struct calltree_node {
	uint32_t parent;	/* 0: a root */
	uint32_t function;
	bool inlined;		/* nowhere here was it called */
	uint64_t self_ns;	/* UP: of the paths that end here */
	uint64_t count;		/* samples of that */
	uint64_t total_ns;	/* with all below it */
	uint64_t total_count;
	uint32_t first;		/* below it: order[first], ... */
	uint32_t children;
};

struct calltree {
	struct calltree_node *nodes;	/* nodes[0] is above the roots */
	size_t count, room;
	uint32_t *order;	/* of the children of each, most time first */
	struct hash_index by_key;	/* parent and function */
	bool merge;		/* what calls itself is one frame */
	uint32_t *path;		/* frames, in work */
	size_t path_count, path_room;
	uint64_t all_ns;	/* also of stacks that were not asked for */
	uint64_t asleep_ns;	/* where that is CPU time: of all threads */
};

/*
 * Of the CPU time, or the time asleep, of stacks that focus.h picks, after
 * symbolize_all() of a model that keeps stacks.  0 or -ENOMEM.
 */
int calltree_make(struct calltree *t, struct model *m,
    enum calltree_direction way);
/* Nodes of the longest path. */
size_t calltree_depth(const struct calltree *t);

void calltree_free(struct calltree *t);

#endif
