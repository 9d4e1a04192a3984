/*
 * Context: O.  Writes call stacks for pprof of gperftools.  export_write()
 * calls it with --write=gperftools.
 */
#ifndef EXPORT_GPERFTOOLS_H
#define EXPORT_GPERFTOOLS_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes the model, which keeps stacks, after symbolize_all().  Returns 0 or
 * -ENOMEM; errors of `out` are found by closing it.
 */
int export_gperftools(struct model *m, FILE *out);

#endif
