/* Context: O.  What was allocated, as columns of the flat profile. */
#ifndef HEAPCELLS_H
#define HEAPCELLS_H

#include "group.h"
#include "sheet.h"

/* Columns of the terminal that they take. */
int heapcells_width(const struct model *m);

/* error: with one standard deviation of each share. */
void heapcells_head(FILE *out, const struct model *m, bool error);
void heapcells_put(FILE *out, const struct model *m,
    const struct group_line *l, uint64_t total, bool error);

/* For programs. */
void heapcells_columns(struct sheet *s);
void heapcells_sheet(struct sheet *s, const struct model *m,
    const struct group_line *l);

#endif
