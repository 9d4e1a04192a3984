/*
 * Context: O.  Reads the profiles of one run into a model, and writes the file
 * of --write.  prof_report.c calls this for reports, prof_diff.c for each run
 * that it compares.
 */
#ifndef PROF_MODEL_H
#define PROF_MODEL_H

#include "base/model.h"
#include "input.h"
#include "prof/prof_state.h"

/*
 * Reads all files of *in into *m, finds the names, and applies the options that
 * change the model as a whole.  *m need not be initialized; the caller frees it
 * in any case.  Returns as prof_report_make().
 */
int prof_model_read(struct prof_state *p, struct model *m, struct input *in);

/*
 * Writes the file of --write, from both models, that of before first, or from
 * m[1] alone (m[0] NULL).  prof_model_read() has made them.  Returns 0, or
 * -ESRCH after reporting why not.
 */
int prof_model_write(struct prof_state *p, struct model *const m[2]);

/*
 * Reports how many values of a difference prof_model_read() has left out of *m
 * because they are below zero: a part of a whole cannot be so.
 */
void prof_model_report_below_zero(struct prof_state *p, struct model *m);

#endif
