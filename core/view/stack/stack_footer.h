/*
 * Context: O.  Prints how much of the time has complete call stacks, for
 * footer.c.
 */
#ifndef STACK_FOOTER_H
#define STACK_FOOTER_H

#include "base/model.h"

#include <stdio.h>

/*
 * Prints one line if the model has stacks: the share of the time in samples
 * with all its callers, the share of each reason for a cut, and that of callers
 * guessed by frame pointer.  Prints nothing if memory is out, or if almost all
 * stacks are complete, unless `verbose` is set.
 */
void stack_footer_print(FILE *out, const struct model *m, bool verbose);

#endif
