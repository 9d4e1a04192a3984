/*
 * Context: O.  Shows a model in the view that the options of prof(1) ask for.
 * Faults are reported by `fault`, which is called with `arg`.
 */
#ifndef REPORT_H
#define REPORT_H

#include "prof/prof_options.h"
#include "read/read_inputs.h"

/* Returns the MODEL_KEEP_* flags of the data that the report needs. */
unsigned report_keep(const struct prof_options *s);

/*
 * Shows the model on `out`.  Returns 0; -ESRCH if there is nothing to show,
 * after reporting why; or -ENOMEM.
 */
int report_show(const struct prof_options *s, struct model *m, FILE *out,
    read_inputs_fault *fault, void *arg);

/*
 * Shows the difference of two models, m[0] before and m[1] now.  Returns as
 * report_show().
 */
int report_diff(const struct prof_options *s, struct model *const m[2],
    FILE *out, read_inputs_fault *fault, void *arg);

#endif
