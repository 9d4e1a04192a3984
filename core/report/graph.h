/* Context: O.  Who called what, and how often. */
#ifndef GRAPH_H
#define GRAPH_H

#include "group.h"
#include "sheet.h"
#include "term.h"

/* Calls between two functions, of all places and processes. */
struct graph_edge {
	uint32_t from, self;	/* functions */
	uint64_t calls;
};

struct graph {
	struct graph_edge *callers;	/* ascending by self, then most first */
	struct graph_edge *callees;	/* ascending by from, likewise */
	size_t count;			/* of each */
};

/* After symbolise_all(), of a model that keeps arcs.  0 or -ENOMEM. */
int graph_make(struct graph *g, struct model *m);
void graph_free(struct graph *g);

/* Lines of functions in their order, each with its callers and callees. */
void graph_print(const struct term *t, struct model *m, const struct graph *g,
    const struct group *lines);
void graph_sheet(FILE *out, enum sheet_form form, struct model *m,
    const struct graph *g, const struct group *lines);

#endif
