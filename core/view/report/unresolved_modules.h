/*
 * Context: O.  Prints the modules whose functions have no names, or fewer than
 * expected, and why.
 */
#ifndef UNRESOLVED_MODULES_H
#define UNRESOLVED_MODULES_H

#include "base/model.h"
#include "base/term.h"

/*
 * Prints a line for each of the first such modules; nothing if there are none.
 */
void unresolved_modules_print(const struct term *t, const struct model *m);

#endif
