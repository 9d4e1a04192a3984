/*
 * Context: O.  Lets patterns of functions and modules match as loosely as
 * needed, for prof (prof_model.c); and applies them, for call graphs and
 * annotated code (core/view).  All after symbolize_all().
 */
#ifndef FILTER_NAMES_H
#define FILTER_NAMES_H

#include "base/model.h"

/*
 * Sets for each pattern of functions and modules how it matches: as a whole
 * name if any name of the model matches so, else as its last components, else
 * as a part of it.  A pattern that has matched in another model stays as it is.
 * *f: the filter of the model, which the model has as const.  Demangles the
 * names of functions.  Call it after symbolize_all().
 */
void filter_names_loosen(struct filter *f, struct model *m);

/*
 * Returns whether FILTER_MODULE and FILTER_FUNCTION of m->filter select a
 * function, by its short or its full name.
 */
bool filter_names_select(struct model *m, uint32_t function);

#endif
