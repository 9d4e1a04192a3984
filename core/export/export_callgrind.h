/* Context: O.  Call stacks for callgrind_annotate and KCachegrind. */
#ifndef EXPORT_CALLGRIND_H
#define EXPORT_CALLGRIND_H

#include "base/model.h"

#include <stdio.h>

/* 0 or -ENOMEM. */
int export_callgrind(struct model *m, FILE *out);

#endif
