/*
 * Context: O.  Writes the profile of pprof: profile.proto, compressed.
 * export_write() calls it with --write=pprof, core/device/device_files.c for a
 * file of the prof device.
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
