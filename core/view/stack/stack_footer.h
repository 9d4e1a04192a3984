/* Context: O.  Prints how much of the time has complete call stacks. */
#ifndef STACK_FOOTER_H
#define STACK_FOOTER_H

#include "base/model.h"

#include <stdio.h>

/*
 * Prints one line if the model keeps stacks: the share of the time with all its
 * callers, and the share of each reason for a cut.
 */
void stack_footer_print(FILE *out, const struct model *m);

#endif
