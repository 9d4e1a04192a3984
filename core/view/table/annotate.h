/*
 * Context: O.  Prints the source lines and instructions of functions, with the
 * time of each: its own, and with what it called.  cmd/prof/report.c calls it
 * for prof --annotate.
 */
#ifndef ANNOTATE_H
#define ANNOTATE_H

#include "base/data_table.h"
#include "base/model.h"
#include "base/term.h"

/* Which functions and lines are shown. */
struct annotate_options {
	uint64_t top;		/* most functions; 0 = all */
	double least;	/* percent of all time that a function must have */
	/*
	 * also lines and instructions without time, in the order of the code;
	 * for annotate_print() alone
	 */
	bool all;
};

/*
 * Both print the code of the functions with time that FILTER_FUNCTION and
 * FILTER_MODULE select, also where they were inlined: annotate_print() for
 * people, annotate_data() as a data table, which is complete also if it has no
 * lines.  Call them after symbolize_all(), for a model that keeps lines, and
 * stacks if totals are wanted.  They set m->met for modules if the filter
 * matches the module of any function, and for functions if any is selected.
 * They return 0, -ENOENT if no function has code or
 * lines that can be shown, or -ENOMEM.
 */
int annotate_print(const struct term *t, struct model *m,
    const struct annotate_options *o);
int annotate_data(FILE *out, enum data_table_format form, struct model *m,
    const struct annotate_options *o);

#endif
