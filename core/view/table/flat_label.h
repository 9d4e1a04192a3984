/*
 * Context: O.  Makes the texts of the lines of a table: names, threads, places.
 * For the flat profile (flat.c) and for differences (diff.c).
 */
#ifndef FLAT_LABEL_H
#define FLAT_LABEL_H

#include "table/group.h"

/*
 * Returns the text of a line in a column that its table has (see
 * flat_has_column()).  The text is in the model, or in `room`, which has
 * `bytes` bytes and belongs to the caller, where it must be made; then it is
 * cut to it.
 */
const char *flat_label(struct model *m, const struct group_line *l,
    enum group_by column, char *room, size_t bytes);

/* Returns the title of a column of text. */
const char *flat_label_title(enum group_by column);

#endif
