/*
 * Context: O.  Prints the sizes of allocated blocks as a histogram, for prof
 * --heap=sizes; the summary prints the median.  Class i of model.sizes has the
 * sizes of i binary digits.
 */
#ifndef SIZE_HISTOGRAM_H
#define SIZE_HISTOGRAM_H

#include "base/data_table.h"
#include "base/model.h"
#include "base/term.h"

/*
 * size_histogram_print() prints the histogram for people, size_histogram_data()
 * as a data table; both leave out classes without blocks.
 */
void size_histogram_print(const struct term *t, const struct model *m);
void size_histogram_data(FILE *out, enum data_table_format form,
    const struct model *m);

/*
 * size_histogram_class_max() returns the largest size of class i of
 * model.sizes, in bytes; i is less than FORMAT_SIZES.  size_histogram_median()
 * returns the class up to which half of the blocks are, or FORMAT_SIZES if
 * there are no blocks.
 */
uint64_t size_histogram_class_max(unsigned i);
unsigned size_histogram_median(const struct model *m);

#endif
