/* Context: O.  How the heap grew. */
#ifndef GROWTHVIEW_H
#define GROWTHVIEW_H

#include "model.h"
#include "sheet.h"
#include "term.h"

/*
 * Some moments, with bars, of so many processes (0 = some) with the largest
 * peak; for programs all.  0 or -ENOMEM.
 */
int growthview_print(const struct term *t, const struct model *m,
    uint64_t top);
void growthview_sheet(FILE *out, enum sheet_form form, const struct model *m);

#endif
