/* Context: O.  Functions with those that called them and that they called. */
#ifndef GRAPH_H
#define GRAPH_H

#include "derive/calltree.h"
#include "table/group.h"

struct graph_node {
	uint32_t function;
	bool inlined;		/* nowhere was it called */
	uint64_t self_ns;
	uint64_t total_ns;	/* with all that it called, recursion once */
	uint64_t count;		/* samples in it ... */
	uint64_t total_count;	/* ... and in what it called */
	uint64_t calls;		/* counted */
};

/* From one function to another, of all places and processes. */
struct graph_edge {
	uint32_t from, self;	/* functions */
	uint64_t calls;		/* counted */
	uint64_t ns;		/* that the one was on the stack right below */
	uint64_t count;		/* samples of that */
	uint64_t stamp;		/* the last path that was added */
};

struct graph {
	struct graph_node *nodes;	/* as asked for */
	size_t count;
	size_t hidden;			/* left out by top or least */
	struct graph_edge *callers;	/* ascending by self, then most first */
	struct graph_edge *callees;	/* ascending by from, likewise */
	size_t edge_count;		/* of each */
	bool timed;			/* by stacks: totals are known */
	uint64_t all_ns;
};

struct graph_options {
	enum group_sort sort;
	uint64_t top;		/* 0 = all */
	double least;		/* percent of all time */
	/* whatever has counted calls is not too small */
	bool keep_called;
};

/*
 * The tree is CALLTREE_TOP_DOWN, of a model that keeps arcs, if there are to be
 * calls.  0 or -ENOMEM.
 */
int graph_make(struct graph *g, struct model *m, const struct calltree *t,
    const struct graph_options *o);
void graph_free(struct graph *g);

/* Those of a function: the first, how many. */
size_t graph_callers(const struct graph *g, uint32_t function, size_t *count);
size_t graph_callees(const struct graph *g, uint32_t function, size_t *count);

#endif
