/* Context: O.  The flat profile as a table of text. */
#ifndef FLAT_H
#define FLAT_H

#include "base/term.h"
#include "table/group.h"

/* error: with one standard deviation of each share. */
void flat_print(const struct term *t, struct model *m, const struct group *g,
    unsigned by, bool error);

/* Has such a grouping that column? */
bool flat_has_column(unsigned by, enum group_by column);

/* What a line is called in a column; in `room` where it has to be made. */
const char *flat_label(struct model *m, const struct group_line *l,
    enum group_by column, char *room, size_t bytes);

#endif
