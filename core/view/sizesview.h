/* Context: O.  Blocks that were given out, by size: each power of two. */
#ifndef SIZESVIEW_H
#define SIZESVIEW_H

#include "model.h"
#include "sheet.h"
#include "term.h"

void sizesview_print(const struct term *t, const struct model *m);
void sizesview_sheet(FILE *out, enum sheet_form form, const struct model *m);

/*
 * The largest size of class i of model.sizes; and the class that half are up
 * to, FORMAT_SIZES of none.
 */
uint64_t sizesview_most(unsigned i);
unsigned sizesview_half(const struct model *m);

#endif
