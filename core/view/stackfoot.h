/* Context: O.  How much of the time has all its callers. */
#ifndef STACKFOOT_H
#define STACKFOOT_H

#include "model.h"

#include <stdio.h>

/* A line, where the model keeps stacks; what is cut with the reason of each. */
void stackfoot_print(FILE *out, const struct model *m);

#endif
