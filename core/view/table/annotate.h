/* Context: O.  A function's source and instructions, with the time of each. */
#ifndef ANNOTATE_H
#define ANNOTATE_H

#include "base/data_table.h"
#include "base/term.h"
#include "table/group.h"

/*
 * Of the functions in those lines.  0, -ENOENT: the code of none of them is
 * there; -ENOMEM.
 */
int annotate_print(const struct term *t, struct model *m,
    const struct group *g);
int annotate_data(FILE *out, enum data_table_format form, struct model *m,
    const struct group *g);

#endif
