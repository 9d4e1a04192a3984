/*
 * Context: O.  Prints allocations as columns of the flat profile, for flat.c
 * and flat_data.c.  The model must hold allocations; its metric (model.measure)
 * chooses between the columns of blocks and of mappings.
 */
#ifndef HEAP_COLUMNS_H
#define HEAP_COLUMNS_H

#include "base/data_table.h"
#include "table/group.h"

/* Returns the number of columns that they take on a terminal. */
int heap_columns_width(const struct model *m);

/*
 * heap_columns_head() prints the titles, heap_columns_put() the numbers of a
 * line, whose `ns` has the model's metric.  `total` is the sum of that metric,
 * for the share; error: both also print the error of each share (see
 * sampling_error.h).
 */
void heap_columns_head(FILE *out, const struct model *m, bool error);
void heap_columns_put(FILE *out, const struct model *m,
    const struct group_line *l, uint64_t total, bool error);

/*
 * heap_columns_declare() adds the columns to a data table, heap_columns_data()
 * puts the fields of a line.
 */
void heap_columns_declare(struct data_table *s);
void heap_columns_data(struct data_table *s, const struct model *m,
    const struct group_line *l);

#endif
