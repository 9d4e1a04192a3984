/* Context: O.  The flat profile for programs. */
#ifndef FLATSHEET_H
#define FLATSHEET_H

#include "group.h"
#include "sheet.h"

void flatsheet_print(FILE *out, enum sheet_form form, struct model *m,
    const struct group *g, unsigned by, bool error);

#endif
