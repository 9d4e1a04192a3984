/*
 * Context: O.  Makes one report of prof(1): reads the profiles and shows,
 * compares or writes them.  prof.c calls this, once or with --live each second.
 */
#ifndef PROF_REPORT_H
#define PROF_REPORT_H

#include "input.h"
#include "prof/prof_state.h"

#include <stdio.h>

/*
 * Reads the profiles of *in and makes the report that the options ask for, on
 * `out` or in the file of --write.  Reports faults by prof_state_report().
 * Sets p->running to whether one of the processes runs.  Returns 0; -ENODATA if
 * there is nothing to show; -ESRCH if there is nothing to show and the reason
 * was reported; or -ENOMEM.
 */
int prof_report_make(struct prof_state *p, struct input *in, FILE *out);

#endif
