/*
 * Context: O.  Shows a model in the view that the options of prof(1) ask for.
 * For prof_report.c; prof_diff.c uses the least share alone.  Faults are
 * reported by `fault`, which is called with `arg`.
 */
#ifndef REPORT_H
#define REPORT_H

#include "prof/prof_options.h"
#include "read/read_inputs.h"
#include "table/group_interval.h"

/* The report before, if it is repeated while programs run. */
struct report_repeated {
	struct group_interval interval;
	double seconds;		/* since then */
};

/*
 * Shows the model on `out`.  *m: as prof_model_read() has made it, after
 * symbolize_all(); its rows and stacks are regrouped here.  before: the report
 * before, which is replaced by this one; NULL: no report was, or is to be,
 * compared.  Returns 0; -ESRCH if there is nothing to show, after reporting
 * why; or -ENOMEM.
 */
int report_show(const struct prof_options *s, struct model *m, FILE *out,
    struct report_repeated *before, read_inputs_fault *fault, void *arg);

/*
 * Returns the least share of the total, in percent, that a line of a tree, a
 * graph or a comparison has.
 */
double report_least_percent(const struct prof_options *s);

#endif
