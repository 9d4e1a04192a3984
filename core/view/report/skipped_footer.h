/*
 * Context: O.  Prints what was left out of the files of other profilers and of
 * tprof.out files, for footer.c.
 */
#ifndef SKIPPED_FOOTER_H
#define SKIPPED_FOOTER_H

#include "base/model.h"
#include "base/term.h"

/*
 * Prints how many records could not be read, and the time below zero that was
 * left out or is shown; prints nothing if there is neither.
 */
void skipped_footer_print(const struct term *t, struct model *m);

#endif
