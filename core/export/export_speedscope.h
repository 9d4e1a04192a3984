/* Context: O.  Call stacks for speedscope. */
#ifndef EXPORT_SPEEDSCOPE_H
#define EXPORT_SPEEDSCOPE_H

#include "base/model.h"

#include <stdio.h>

/* 0 or -ENOMEM. */
int export_speedscope(struct model *m, FILE *out);

#endif
