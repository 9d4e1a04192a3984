/*
 * Context: O.  Prints the heap timeline, for prof --heap=growth.
 * cmd/prof/report.c calls it if the model has points.
 */
#ifndef HEAP_TIMELINE_VIEW_H
#define HEAP_TIMELINE_VIEW_H

#include "base/data_table.h"
#include "base/model.h"
#include "base/term.h"

/*
 * heap_timeline_view_print() prints some points with bars, of the `top`
 * processes (0 = default number) with the largest peaks; returns 0 or -ENOMEM.
 * heap_timeline_view_data() prints all points of all processes as a data table.
 */
int heap_timeline_view_print(const struct term *t, const struct model *m,
    uint64_t top);
void heap_timeline_view_data(FILE *out, enum data_table_format form,
    const struct model *m);

#endif
