/*
 * Context: O.  Writes Massif's files, which ms_print(1) and massif-visualizer
 * read.  export_write() calls it with --write=massif.
 */
#ifndef EXPORT_MASSIF_H
#define EXPORT_MASSIF_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes a model of allocations that keeps stacks, after symbolize_all(), and
 * changes its metric.  Returns 0, -ENOMEM, or -E2BIG if the allocations are of
 * several processes; errors of `out` are found by closing it.
 */
int export_massif(struct model *m, FILE *out);

#endif
