/*
 * Context: O.  Sorts the rows of the model, for model_finish() alone.
 * model_rows.c has the functions of model.h that add rows, too.
 */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "base/model.h"

/*
 * Sorts the rows by module, then process if model_is_absolute(module), then
 * address, kind, process, thread and stack, and sets the row indexes of frames
 * and arcs.  Must run while rows have the modules with which they were added,
 * and before model_rows_index_moments().
 */
void model_rows_sort(struct model *m);

/*
 * Replaces the row numbers of moments by indexes and sorts moments by time.
 * Rows must have been sorted.  Returns 0 or -ENOMEM.
 */
int model_rows_index_moments(struct model *m);

#endif
