/* Context: O.  prof --control: telling running processes what to do. */
#ifndef PROF_CONTROL_H
#define PROF_CONTROL_H

#include "base/data_table.h"
#include "fault.h"

typedef void prof_control_on_fault(void *arg, const struct fault *f);

/*
 * names: who (a pid, a directory, a file), and what: start, stop, end,
 * interval, mode, dump or status.  output: a file, NULL standard output; left
 * as it is if nobody was told.  0, -ESRCH: somebody did not, which is said;
 * -EINVAL: wrong use, likewise.
 */
int prof_control_run(const char **names, size_t count, const char *output,
    enum data_table_format form, prof_control_on_fault *fault, void *arg);

#endif
