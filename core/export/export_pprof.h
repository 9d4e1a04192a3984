/* Context: O.  The profile of pprof: profile.proto, compressed. */
#ifndef EXPORT_PPROF_H
#define EXPORT_PPROF_H

#include "base/model.h"

#include <stdio.h>

/* 0, -ENOMEM, or -ENOTSUP: built without protobuf-c. */
int export_pprof(struct model *m, FILE *out);

#endif
