/* Context: O.  How much of the time has all its callers. */
#ifndef STACK_FOOTER_H
#define STACK_FOOTER_H

#include "base/model.h"

#include <stdio.h>

/* A line, where the model keeps stacks; what is cut with the reason of each. */
void stack_footer_print(FILE *out, const struct model *m);

#endif
