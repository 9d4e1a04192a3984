/* Context: O.  How the heap grew. */
#ifndef GROWTHVIEW_H
#define GROWTHVIEW_H

#include "model.h"
#include "sheet.h"
#include "term.h"

/* Of each process that has any: some moments, with bars; for programs all. */
void growthview_print(const struct term *t, const struct model *m);
void growthview_sheet(FILE *out, enum sheet_form form, const struct model *m);

#endif
