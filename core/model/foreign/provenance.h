/* Context: O.  Where numbers come from that no libmon.so counted. */
#ifndef PROVENANCE_H
#define PROVENANCE_H

#include "base/model.h"

#include <stdio.h>

/*
 * Ticks a second of files that do not say it: CLK_TCK of every Linux, which
 * gprof(1) takes too.
 */
#define PROVENANCE_RATE	100u

/* One file more of that origin; its `files` does not matter.  0 or -ENOMEM. */
int provenance_add(struct model *m, const struct model_classic *origin);

/* Likewise. */
int provenance_add_import(struct model *m, const struct model_import *import);

void provenance_print(FILE *out, const struct model *m);

#endif
