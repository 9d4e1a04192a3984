/* Context: O.  Callers and callees as text, and for programs. */
#ifndef GRAPHVIEW_H
#define GRAPHVIEW_H

#include "base/data_table.h"
#include "base/term.h"
#include "stack/graph.h"

/* Functions in their order, each with its callers before and callees behind. */
struct graphview_options {
	bool top;		/* functions are hidden for their number */
	bool error;		/* one standard deviation of each total */
};

void graphview_print(const struct term *t, struct model *m,
    const struct graph *g, const struct graphview_options *o);

/* A line a pair of functions; of those in the graph, as callees. */
void graphview_data(FILE *out, enum data_table_format form, struct model *m,
    const struct graph *g, bool error);

#endif
