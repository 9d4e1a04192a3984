/*
 * Context: O.  Writes the profile of pprof: profile.proto, compressed.  For
 * export_write() and the prof device.
 */
#ifndef EXPORT_PPROF_H
#define EXPORT_PPROF_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes the model, which keeps stacks, after symbolize_all().  Returns 0,
 * -ENOMEM, or -ENOTSUP if built without protobuf-c or zlib; errors of `out` are
 * found by closing it.
 */
int export_pprof(struct model *m, FILE *out);

#endif
