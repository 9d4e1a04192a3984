/*
 * Context: O.  Computes the change of a number between two sides of runs, and
 * its error: that of the samples, and the spread of the runs of one side beyond
 * it.  For diff.c; export_html.c gives the page DIFF_SURE.
 */
#ifndef DIFF_STATS_H
#define DIFF_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* The values of a number in the runs of one side.  All 0: no run has it. */
struct diff_values {
	double sum, squares;
	double variance;	/* sum of the variances that samples give */
};

/* Adds the value in one run, and the variance that its samples give it. */
void diff_values_add(struct diff_values *v, double value, double variance);

/* A change between the means of both sides. */
struct diff_change {
	double before, now;
	double error;		/* one standard deviation of now - before */
};

/*
 * Returns the change from the values v[0] in runs[0] runs to v[1] in runs[1].
 * Neither number of runs is 0.  With one run a side the error is that of the
 * samples alone.  The spread of few runs is widened by Student's distribution,
 * so that a change of DIFF_SURE errors is as rare by chance as with many.
 */
struct diff_change diff_change_make(const struct diff_values v[2],
    const size_t runs[2]);

/*
 * A change of more standard deviations than this is real; a smaller one may be
 * chance.
 */
#define DIFF_SURE	3.0

/* Returns whether a change is larger than DIFF_SURE times its error. */
bool diff_change_is_sure(const struct diff_change *c);

#endif
