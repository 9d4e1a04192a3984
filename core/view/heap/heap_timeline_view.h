/* Context: O.  How the heap grew. */
#ifndef HEAP_TIMELINE_VIEW_H
#define HEAP_TIMELINE_VIEW_H

#include "base/data_table.h"
#include "base/model.h"
#include "base/term.h"

/*
 * Some moments, with bars, of so many processes (0 = some) with the largest
 * peak; for programs all.  0 or -ENOMEM.
 */
int heap_timeline_view_print(const struct term *t, const struct model *m,
    uint64_t top);
void heap_timeline_view_data(FILE *out, enum data_table_format form,
    const struct model *m);

#endif
