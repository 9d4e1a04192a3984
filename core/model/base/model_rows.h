/*
 * Context: O.  Sorts the rows of the model, for model_finish() alone.
 * model_rows.c has the functions of model.h that add rows, too.
 */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include "base/model.h"

/*
 * Sorts the rows by module, then process if model_is_absolute(module), then
 * address, kind, process, thread and stack, and moments by time.  Replaces the
 * row numbers of frames, arcs and moments by indexes.  Returns 0 or -ENOMEM.
 */
int model_rows_sort(struct model *m);

#endif
