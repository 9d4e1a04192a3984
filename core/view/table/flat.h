/* Context: O.  Prints the flat profile for people. */
#ifndef FLAT_H
#define FLAT_H

#include "base/term.h"
#include "table/group.h"

/*
 * Prints the lines of *g as a table.  `by` is the grouping with which *g was
 * made.  error: prints the error of each share (see sampling_error.h).
 */
void flat_print(const struct term *t, struct model *m, const struct group *g,
    unsigned by, bool error);

/* Returns whether a table with the grouping `by` has that column. */
bool flat_has_column(unsigned by, enum group_by column);

/*
 * Returns the text of a line in a column.  Uses `room`, which has `bytes`
 * bytes, where the text must be made.
 */
const char *flat_label(struct model *m, const struct group_line *l,
    enum group_by column, char *room, size_t bytes);

#endif
