/* Context: O.  Folded stacks, which flame graphs are drawn from. */
#ifndef EXPORT_FOLDED_H
#define EXPORT_FOLDED_H

#include "base/model.h"

#include <stdio.h>

/* After symbolize_all(), of a model that keeps stacks.  0 or -ENOMEM. */
int export_folded(struct model *m, FILE *out);

#endif
