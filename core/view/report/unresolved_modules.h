/* Context: O.  Modules whose functions have no names, or fewer, and why. */
#ifndef UNRESOLVED_MODULES_H
#define UNRESOLVED_MODULES_H

#include "base/model.h"
#include "base/term.h"

/* A line for each of the first; nothing where all is well. */
void unresolved_modules_print(const struct term *t, const struct model *m);

#endif
