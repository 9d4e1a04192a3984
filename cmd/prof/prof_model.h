/*
 * Context: O.  Reads the profiles of one run into a model, and writes the file
 * of --write.  For reports and comparisons of prof(1).
 */
#ifndef PROF_MODEL_H
#define PROF_MODEL_H

#include "base/model.h"
#include "input.h"
#include "prof/prof_state.h"

/*
 * Reads all files of *in into *m, which the caller frees in any case.  Returns
 * as prof_report_make().
 */
int prof_model_read(struct prof_state *p, struct model *m, struct input *in);

/*
 * Writes the file of --write, from both models or from m[1] alone (m[0] NULL).
 * Returns 0, or -ESRCH after reporting why not.
 */
int prof_model_write(struct prof_state *p, struct model *const m[2]);

/*
 * Reports what a view of the parts of a whole omits: values of a difference
 * that are below zero.
 */
void prof_model_report_below_zero(struct prof_state *p, struct model *m);

#endif
