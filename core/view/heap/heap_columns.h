/* Context: O.  What was allocated, as columns of the flat profile. */
#ifndef HEAP_COLUMNS_H
#define HEAP_COLUMNS_H

#include "base/data_table.h"
#include "table/group.h"

/* Columns of the terminal that they take. */
int heap_columns_width(const struct model *m);

/* error: with one standard deviation of each share. */
void heap_columns_head(FILE *out, const struct model *m, bool error);
void heap_columns_put(FILE *out, const struct model *m,
    const struct group_line *l, uint64_t total, bool error);

/* For programs. */
void heap_columns_declare(struct data_table *s);
void heap_columns_data(struct data_table *s, const struct model *m,
    const struct group_line *l);

#endif
