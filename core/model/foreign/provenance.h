/*
 * Context: O.  Keeps and prints which files of other profilers the numbers come
 * from: read_classic.c and read_import.c add them, the head of the report
 * (core/view/report) prints them.
 */
#ifndef PROVENANCE_H
#define PROVENANCE_H

#include "base/model.h"

#include <stdio.h>

/*
 * Histogram counts per second of classic files that do not say it: CLK_TCK of
 * every Linux, which gprof(1) assumes, too.  Exporters of such files and the
 * listing use it, too.
 */
#define PROVENANCE_RATE	100u

/*
 * Adds a classic file to the sums of its origin in m->origins; origin->files is
 * ignored.  Returns 0 or -ENOMEM.
 */
int provenance_add(struct model *m, const struct model_classic *origin);

/*
 * Adds a file of another current profiler to the sums of its origin in
 * m->imports; import->files is ignored.  `format` and `unit` must be single
 * copies, as pointers are compared.  Returns 0 or -ENOMEM.
 */
int provenance_add_import(struct model *m, const struct model_import *import);

/* Prints one line for each origin, for the report.  The caller checks `out`. */
void provenance_print(FILE *out, const struct model *m);

#endif
