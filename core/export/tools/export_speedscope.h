/*
 * Context: O.  Writes call stacks for speedscope.  export_write() calls it with
 * --write=speedscope.
 */
#ifndef EXPORT_SPEEDSCOPE_H
#define EXPORT_SPEEDSCOPE_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes the model, which keeps stacks, after symbolize_all().  Returns 0 or
 * -ENOMEM; errors of `out` are found by closing it.
 */
int export_speedscope(struct model *m, FILE *out);

#endif
