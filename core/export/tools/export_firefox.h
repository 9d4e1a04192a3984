/*
 * Context: O.  Writes call stacks for the Firefox Profiler.  export_write()
 * calls it with --write=firefox.
 */
#ifndef EXPORT_FIREFOX_H
#define EXPORT_FIREFOX_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes the model, which keeps stacks, after symbolize_all().  Returns 0 or
 * -ENOMEM; errors of `out` are found by closing it.
 */
int export_firefox(struct model *m, FILE *out);

#endif
