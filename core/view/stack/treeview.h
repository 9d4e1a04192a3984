/*
 * Context: O.  Prints the call tree for people, and as a data table.
 * cmd/prof/report.c makes the tree for prof --tree and --callers; the summary
 * of the heap (heap_summary.c) prints parts of trees.
 */
#ifndef TREEVIEW_H
#define TREEVIEW_H

#include "base/data_table.h"
#include "base/term.h"
#include "derive/calltree.h"

/* How the tree is printed. */
struct treeview_options {
	enum calltree_direction way;
	double least;	/* percent of all time that a branch must have */
	uint64_t top;		/* most branches of each function; 0 = all */
	/* print the error of each total (see sampling_error.h) */
	bool error;
	/*
	 * print behind a function the place in the source that all its paths
	 * have in common, if there is one
	 */
	bool places;
	/*
	 * print a part of a larger text, without head and without a note on
	 * what is hidden; the next three fields are for it
	 */
	bool part;
	uint64_t roots;	/* most outermost lines, whatever `top` says; 0 = all */
	/* percent of its outermost line that another line must have */
	double share;
	size_t deepest;		/* greatest depth of lines */
};

/*
 * Prints the tree *t of *m, whose direction is o->way.  Returns 0 or -ENOMEM.
 */
int treeview_print(const struct term *term, struct model *m,
    const struct calltree *t, const struct treeview_options *o);

/*
 * Prints as a data table one line for each node with time, with the number of
 * its parent.  error: adds a column with the error of each total.
 */
void treeview_data(FILE *out, enum data_table_format form, struct model *m,
    const struct calltree *t, bool error);

#endif
