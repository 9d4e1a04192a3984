/* Context: O.  Texts of the lines of a table: names, threads, places. */
#ifndef FLAT_LABEL_H
#define FLAT_LABEL_H

#include "table/group.h"

/*
 * Returns the text of a line in a column that its table has (see
 * flat_has_column()).  Uses `room`, which has `bytes` bytes and belongs to the
 * caller, where the text must be made, and cuts the text to it.
 */
const char *flat_label(struct model *m, const struct group_line *l,
    enum group_by column, char *room, size_t bytes);

/* Returns the title of a column of text. */
const char *flat_label_title(enum group_by column);

#endif
