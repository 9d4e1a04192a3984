/*
 * Context: O.  Prints the flat profile as a data table, for prof --csv and
 * --json (cmd/prof/report.c).
 */
#ifndef FLAT_DATA_H
#define FLAT_DATA_H

#include "base/data_table.h"
#include "table/group.h"

/*
 * Prints all lines of *g.  `by` is the grouping with which *g was made, a set
 * of 1 << enum group_by.  error: adds a column with the error of each share
 * (see sampling_error.h).
 */
void flat_data_print(FILE *out, enum data_table_format form, struct model *m,
    const struct group *g, unsigned by, bool error);

#endif
