/*
 * Context: O.  Writes call stacks for callgrind_annotate and KCachegrind.
 * export_write() calls it with --write=callgrind.
 */
#ifndef EXPORT_CALLGRIND_H
#define EXPORT_CALLGRIND_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes the model, which keeps stacks, and arcs if numbers of calls are
 * wanted, after symbolize_all().  Returns 0 or
 * -ENOMEM; errors of `out` are found by closing it.
 */
int export_callgrind(struct model *m, FILE *out);

#endif
