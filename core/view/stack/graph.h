/*
 * Context: O.  The call graph: functions with their callers and callees.
 * cmd/prof/report.c makes it for prof --graph, graphview.c prints it; the
 * exporter of callgrind.out makes one of its own.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "derive/calltree.h"
#include "table/group.h"

/* A function. */
struct graph_node {
	uint32_t function;
	bool inlined;		/* it was inlined wherever it was seen */
	/*
	 * it only starts the program or a thread, and has itself less than 1 %
	 * of the time: sorted by time, it is listed behind the others
	 */
	bool start;
	uint64_t self_ns;
	/* with all that it called; recursion counts once */
	uint64_t total_ns;
	uint64_t count;		/* samples in the function itself */
	/* samples in the function and in all that it called */
	uint64_t total_count;
	uint64_t calls;		/* counted calls */
};

/* A pair of caller and callee, summed over all places and processes. */
struct graph_edge {
	uint32_t from, self;	/* caller and callee, functions */
	uint64_t calls;		/* counted calls */
	/* time while `from` was on the stack and had called `self` */
	uint64_t ns;
	uint64_t count;		/* samples in ns */
	uint64_t stamp;		/* last path of the tree that was added */
};

/* The graph. */
struct graph {
	struct graph_node *nodes;	/* sorted and limited as asked for */
	size_t count;
	size_t hidden;			/* functions left out by top or least */
	/* ascending by self, then by decreasing weight */
	struct graph_edge *callers;
	/* ascending by from, then by decreasing weight */
	struct graph_edge *callees;
	size_t edge_count;	/* elements of callers, and of callees */
	bool timed;	/* the model has stacks, so total times are known */
	uint64_t all_ns;	/* time of all stacks */
};

/* Which functions the graph lists. */
struct graph_options {
	enum group_sort sort;
	uint64_t top;		/* most functions; 0 = all */
	double least;	/* percent of all time that a function must have */
	/* list functions with counted calls even if they have less time */
	bool keep_called;
};

/*
 * Makes the graph of a CALLTREE_TOP_DOWN tree of the model, after
 * symbolize_all(); the model must keep arcs if counted calls are wanted.  Lists
 * the functions that FILTER_MODULE and FILTER_FUNCTION select, and sets m->met
 * for these filters.  *t need not outlive the graph.  Returns 0 or -ENOMEM;
 * call graph_free() in either case.
 */
int graph_make(struct graph *g, struct model *m, const struct calltree *t,
    const struct graph_options *o);

/* Frees the graph. */
void graph_free(struct graph *g);

/*
 * graph_callers() returns the index in g->callers of the first edge to a
 * function, graph_callees() the index in g->callees of the first edge from it.
 * Both set *count to the number of these edges, which follow one another; 0:
 * the index means nothing.
 */
size_t graph_callers(const struct graph *g, uint32_t function, size_t *count);
size_t graph_callees(const struct graph *g, uint32_t function, size_t *count);

#endif
