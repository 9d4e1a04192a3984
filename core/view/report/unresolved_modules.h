/*
 * Context: O.  Prints the modules whose functions have no names, or fewer than
 * expected, and why.  For footer.c, after symbolize_all(), which sets the state
 * of each module.
 */
#ifndef UNRESOLVED_MODULES_H
#define UNRESOLVED_MODULES_H

#include "base/model.h"
#include "base/term.h"

/*
 * Prints what debuginfod gave to this process, and a line for each of the first
 * modules whose lines or names are missing; nothing if there are none.
 */
void unresolved_modules_print(const struct term *t, const struct model *m);

#endif
