/*
 * Context: O.  Prints the flat profile for people, for cmd/prof/report.c.
 * Tables of differences (diff.c) use flat_has_column().
 */
#ifndef FLAT_H
#define FLAT_H

#include "base/term.h"
#include "table/group.h"

/* The columns of a table. */
struct flat_options {
	unsigned by;	/* grouping of its lines, a set of 1 << enum group_by */
	bool inclusive;	/* the time of functions with what they called */
	bool interval;		/* the time since the table before */
	bool error;	/* the error of each share; see sampling_error.h */
};

/*
 * Prints the lines of *g: CPU time as a table, unless m->filter->asleep is set,
 * and time asleep as another one, if there is any.
 */
void flat_print(const struct term *t, struct model *m, const struct group *g,
    const struct flat_options *o);

/*
 * Returns whether a table with the grouping `by`, a set of 1 << enum group_by,
 * has that column.
 */
bool flat_has_column(unsigned by, enum group_by column);

#endif
