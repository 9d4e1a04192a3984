/* Context: O.  Call stacks as perf script prints them. */
#ifndef EXPORT_PERF_H
#define EXPORT_PERF_H

#include "base/model.h"

#include <stdio.h>

/* 0 or -ENOMEM. */
int export_perf(struct model *m, FILE *out);

#endif
