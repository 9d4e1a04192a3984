/* Context: O.  Where numbers come from that no libmon.so counted. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "model.h"

#include <stdio.h>

/*
 * Ticks a second of files that do not say it: CLK_TCK of every Linux, which
 * gprof(1) takes too.
 */
#define ORIGIN_RATE	100u

/* One file more of that origin; its `files` does not matter.  0 or -ENOMEM. */
int origin_add(struct model *m, const struct model_origin *origin);

/* Likewise. */
int origin_add_import(struct model *m, const struct model_import *import);

void origin_print(FILE *out, const struct model *m);

#endif
