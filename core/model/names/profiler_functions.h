/*
 * Context: O.  Makes the functions of libmon.so in the profiled process one
 * function, for prof; and sums their time, for heads and footers of reports.
 */
#ifndef PROFILER_FUNCTIONS_H
#define PROFILER_FUNCTIONS_H

#include "base/model.h"

/* Name of the function that all functions of libmon.so are made. */
#define PROFILER_FUNCTIONS_NAME	"[libmon]"

/*
 * Gives all rows and frames in libmon.so the function PROFILER_FUNCTIONS_NAME,
 * without inlined ones.  Call it after symbolize_all().  Returns 0 or -ENOMEM.
 */
int profiler_functions_merge(struct model *m);

/*
 * Returns the CPU time that samples of the model have in libmon.so, ns.  Ticks
 * are not sampled: theirs is m->cost_ns.
 */
uint64_t profiler_functions_ns(const struct model *m);

#endif
