/* Context: O.  The flat profile for programs. */
#ifndef FLAT_DATA_H
#define FLAT_DATA_H

#include "base/data_table.h"
#include "table/group.h"

void flat_data_print(FILE *out, enum data_table_format form, struct model *m,
    const struct group *g, unsigned by, bool error);

#endif
