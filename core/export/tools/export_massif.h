/*
 * Context: O.  Writes Massif's files, which ms_print(1) and massif-visualizer
 * read.
 */
#ifndef EXPORT_MASSIF_H
#define EXPORT_MASSIF_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes a model of allocations that keeps stacks, after symbolize_all().
 * Returns 0, -ENOMEM, or -E2BIG if the allocations are of several processes.
 */
int export_massif(struct model *m, FILE *out);

#endif
