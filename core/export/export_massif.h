/* Context: O.  Massif's files, which ms_print(1) and massif-visualizer read. */
#ifndef EXPORT_MASSIF_H
#define EXPORT_MASSIF_H

#include "base/model.h"

#include <stdio.h>

/*
 * After symbolize_all(), of a model of allocations that keeps stacks.  0,
 * -ENOMEM, or -E2BIG: they are of several processes.
 */
int export_massif(struct model *m, FILE *out);

#endif
