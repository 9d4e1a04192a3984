/* Context: O.  What was allocated, as columns of the flat profile. */
#ifndef HEAPCELLS_H
#define HEAPCELLS_H

#include "group.h"
#include "sheet.h"
#include "term.h"

#define HEAPCELLS	46	/* columns of the terminal */

void heapcells_head(FILE *out);
void heapcells_put(FILE *out, const struct group_line *l, uint64_t total);

/* For programs. */
void heapcells_columns(struct sheet *s);
void heapcells_sheet(struct sheet *s, const struct group_line *l);

/* Below the table: what there was in all, and what is not in it. */
void heapcells_foot(const struct term *t, const struct model *m,
    const struct group *g);

#endif
