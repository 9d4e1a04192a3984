/*
 * Context: O.  Prints the source lines and instructions of functions, with the
 * time of each instruction.
 */
#ifndef ANNOTATE_H
#define ANNOTATE_H

#include "base/data_table.h"
#include "base/term.h"
#include "table/group.h"

/*
 * Both print the annotated code of the functions in the lines of *g:
 * annotate_print() for people, annotate_data() as a data table.  They return 0,
 * -ENOENT if no function has code that can be read, or -ENOMEM.
 */
int annotate_print(const struct term *t, struct model *m,
    const struct group *g);
int annotate_data(FILE *out, enum data_table_format form, struct model *m,
    const struct group *g);

#endif
