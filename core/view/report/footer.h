/*
 * Context: O.  Prints on what a report rests.  cmd/prof/report.c calls it below
 * every report of time, export/html/html_head.c for the HTML page, after
 * symbolize_all().  prof record takes the words for losses from here.
 */
#ifndef FOOTER_H
#define FOOTER_H

#include "base/term.h"
#include "table/group.h"

/*
 * Prints the footer of a report of CPU time, whose lines are in *g: hidden
 * lines, damage, losses, modules without names, and what else makes the numbers
 * less than they seem.  verbose: prints also what is as it should be: files,
 * clocks, CPU time by the kernel, complete stacks, the error and the cost.
 */
void footer_print(const struct term *t, struct model *m,
    const struct group *g, bool verbose);

/*
 * Returns whether anything was lost, in profiles of libmon.so or of tprof, or
 * whether a file is truncated.
 */
bool footer_has_losses(const struct model *m);

/*
 * Prints how much was lost in the way of this number, and why, in the form
 * "7 ticks: no space left on the device or quota".
 */
void footer_loss(FILE *out, const struct model *m, unsigned number);

/*
 * Prints a line for each kind of loss in profiles of libmon.so, also below
 * views of the heap.
 */
void footer_losses(FILE *out, const struct model *m);

#endif
