/* Context: O.  Prints on what a report rests, below every table of time. */
#ifndef FOOTER_H
#define FOOTER_H

#include "base/term.h"
#include "table/group.h"

/*
 * Prints the footer of a table of CPU time: hidden lines, files, clocks, CPU
 * time, errors, losses and modules without names.
 */
void footer_print(const struct term *t, struct model *m,
    const struct group *g);

/* Prints a line for each kind of loss in profiles of libmon.so. */
void footer_losses(FILE *out, const struct model *m);

#endif
