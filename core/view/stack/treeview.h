/* Context: O.  The call tree as text. */
#ifndef TREEVIEW_H
#define TREEVIEW_H

#include "base/data_table.h"
#include "base/term.h"
#include "derive/calltree.h"

struct treeview_options {
	enum calltree_direction way;
	double least;		/* percent that a branch must have */
	uint64_t top;		/* branches of each function; 0 = all */
	bool error;		/* one standard deviation of each total */
	bool part;		/* of a larger text: no head, nothing of what
				   is not shown; of it: */
	uint64_t roots;		/* outermost lines, whatever top says */
	double share;		/* percent of its outermost line that another
				   line must have */
	size_t deepest;		/* lines below each other */
};

/* 0 or -ENOMEM. */
int treeview_print(const struct term *term, struct model *m,
    const struct calltree *t, const struct treeview_options *o);

/* A line a node, each with the number of its parent's. */
void treeview_data(FILE *out, enum data_table_format form, struct model *m,
    const struct calltree *t, bool error);

#endif
