/*
 * Context: O.  Compares profiles (prof --diff): reads the runs of both sides
 * and prints what changed, or writes the page of two.  prof.c splits the names
 * of now, prof_report.c reads its first run and calls prof_diff_make().
 */
#ifndef PROF_DIFF_H
#define PROF_DIFF_H

#include "base/model.h"
#include "prof/prof_state.h"

#include <stdio.h>

/*
 * Names of runs, each a file or a directory.  prof_diff_split() allocates them;
 * the caller zeroes the list before first use.
 */
struct prof_diff_runs {
	char *text;
	const char **names;
	size_t count;
};

/*
 * Splits "RUN,RUN,...".  If a file has the whole list as its name, that is the
 * one run.  Returns 0 or -ENOMEM; the caller calls prof_diff_runs_free() in
 * either case.
 */
int prof_diff_split(struct prof_diff_runs *runs, const char *list);

/* Frees the names. */
void prof_diff_runs_free(struct prof_diff_runs *runs);

/*
 * Compares the runs that --diff names with *now, which the caller has read and
 * frees, and the runs p->more.  Prints the differences on `out`, or writes the
 * page of --write.  With --fail-over reports what grew beyond it and sets the
 * exit status EXIT_REGRESSION.  Returns as prof_report_make().
 */
int prof_diff_make(struct prof_state *p, struct model *now, FILE *out);

#endif
