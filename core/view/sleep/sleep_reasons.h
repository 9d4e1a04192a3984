/*
 * Context: O.  Prints for what threads slept, and which function of the program
 * made them sleep: the first one outside of the language's libraries.
 * cmd/prof/report.c prints it below the first table, and above other views with
 * --asleep.
 */
#ifndef SLEEP_REASONS_H
#define SLEEP_REASONS_H

#include "base/model.h"
#include "base/term.h"
#include "report/elapsed_sums.h"

/*
 * Prints a table of the largest sums of time asleep by reason and function; the
 * sums that the time of another thread explains come last.  Adds a row of the
 * time in which threads waited for a processor, if *waiting has it.  below:
 * prints an empty line before the table, otherwise behind it.  Prints nothing
 * if the model has no time asleep or no stacks.  Needs names.  Returns 0 or
 * -ENOMEM.
 */
int sleep_reasons_print(const struct term *t, struct model *m, bool below,
    const struct elapsed_waiting *waiting);

#endif
