/*
 * Context: O.  Prints the call graph for people, and as a data table, for
 * cmd/prof/report.c, which makes the graph.
 */
#ifndef GRAPHVIEW_H
#define GRAPHVIEW_H

#include "base/data_table.h"
#include "base/term.h"
#include "stack/graph.h"

/* How the graph is printed. */
struct graphview_options {
	/* functions were hidden because --top limits their number */
	bool top;
	/* print the error of each total (see sampling_error.h) */
	bool error;
};

/*
 * Prints each function with its callers and callees below it, in the order of
 * g->nodes.
 */
void graphview_print(const struct term *t, struct model *m,
    const struct graph *g, const struct graphview_options *o);

/*
 * Prints as a data table one line for each pair of caller and callee whose
 * callee is listed in the graph.  error: adds a column with the error of each
 * time (see sampling_error.h).
 */
void graphview_data(FILE *out, enum data_table_format form, struct model *m,
    const struct graph *g, bool error);

#endif
