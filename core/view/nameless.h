/* Context: O.  Modules whose functions have no names, or fewer, and why. */
#ifndef NAMELESS_H
#define NAMELESS_H

#include "model.h"
#include "term.h"

/* A line for each of the first; nothing where all is well. */
void nameless_print(const struct term *t, const struct model *m);

#endif
