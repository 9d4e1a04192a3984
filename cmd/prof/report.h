/* Context: O.  The views of prof(1): which, with what, and what is missing. */
#ifndef REPORT_H
#define REPORT_H

#include "prof/prof_options.h"
#include "read/read_inputs.h"

/* What the model must keep for what is asked. */
unsigned report_keep(const struct prof_options *s);

/* 0, -ESRCH: there is nothing to show, which is said; -ENOMEM. */
int report_show(const struct prof_options *s, struct model *m, FILE *out,
    read_inputs_fault *fault, void *arg);

/* The same of two: before, now. */
int report_diff(const struct prof_options *s, struct model *const m[2],
    FILE *out, read_inputs_fault *fault, void *arg);

/* Where allocations are asked for: is any there?  If not it is said. */
bool report_has_heap(const struct prof_options *s, const struct model *m,
    read_inputs_fault *fault, void *arg);

/* A name that nothing has is most often misspelt: the first that is. */
void report_unmatched(const struct prof_options *s, const struct model *m,
    read_inputs_fault *fault, void *arg);

/* The same of two, one of which has to have it. */
void report_unmatched_both(const struct prof_options *s,
    struct model *const m[2], read_inputs_fault *fault, void *arg);

#endif
