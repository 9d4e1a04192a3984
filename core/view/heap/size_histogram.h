/* Context: O.  Blocks that were given out, by size: each power of two. */
#ifndef SIZE_HISTOGRAM_H
#define SIZE_HISTOGRAM_H

#include "base/data_table.h"
#include "base/model.h"
#include "base/term.h"

void size_histogram_print(const struct term *t, const struct model *m);
void size_histogram_data(FILE *out, enum data_table_format form,
    const struct model *m);

/*
 * The largest size of class i of model.sizes; and the class that half are up
 * to, FORMAT_SIZES of none.
 */
uint64_t size_histogram_class_max(unsigned i);
unsigned size_histogram_median(const struct model *m);

#endif
