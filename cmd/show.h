/* Context: O.  The views of prof(1): which, with what, and what is missing. */
#ifndef SHOW_H
#define SHOW_H

#include "gather.h"
#include "settings.h"

/* What the model must keep for what is asked. */
unsigned show_keep(const struct settings *s);

/* 0, -ESRCH: there is nothing to show, which is said; -ENOMEM. */
int show_report(const struct settings *s, struct model *m, FILE *out,
    gather_fault *fault, void *arg);

/* The same of two: before, now. */
int show_diff(const struct settings *s, struct model *const m[2], FILE *out,
    gather_fault *fault, void *arg);

/* Where allocations are asked for: is any there?  If not it is said. */
bool show_has_heap(const struct settings *s, const struct model *m,
    gather_fault *fault, void *arg);

/* A name that nothing has is most often misspelt: the first that is. */
void show_unmet(const struct settings *s, const struct model *m,
    gather_fault *fault, void *arg);

/* The same of two, one of which has to have it. */
void show_unmet_both(const struct settings *s, struct model *const m[2],
    gather_fault *fault, void *arg);

#endif
