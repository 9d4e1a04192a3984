/*
 * Context: O.  Writes call stacks as perf script prints them.  export_write()
 * calls it with --write=perf.
 */
#ifndef EXPORT_PERF_H
#define EXPORT_PERF_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes the model, which keeps stacks, after symbolize_all().  Returns 0 or
 * -ENOMEM; errors of `out` are found by closing it.
 */
int export_perf(struct model *m, FILE *out);

#endif
