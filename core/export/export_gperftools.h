/* Context: O.  Call stacks for pprof of gperftools. */
#ifndef EXPORT_GPERFTOOLS_H
#define EXPORT_GPERFTOOLS_H

#include "base/model.h"

#include <stdio.h>

/* After symbolize_all().  0 or -ENOMEM. */
int export_gperftools(struct model *m, FILE *out);

#endif
