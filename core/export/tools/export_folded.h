/*
 * Context: O.  Writes folded stacks, which flame graphs are drawn from.
 * export_write() calls it with --write=folded, core/device/device_files.c for a
 * file of the prof device.
 */
#ifndef EXPORT_FOLDED_H
#define EXPORT_FOLDED_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes the model, which keeps stacks, after symbolize_all().  Returns 0 or
 * -ENOMEM; errors of `out` are found by closing it.
 */
int export_folded(struct model *m, FILE *out);

#endif
