/*
 * Context: O.  Runs prof --control, which sends orders to running processes,
 * sets the directory defaults and shows the state of processes.  Called by
 * prof.c alone.
 */
#ifndef PROF_CONTROL_H
#define PROF_CONTROL_H

#include "base/data_table.h"
#include "fault.h"

/* Reports a fault. */
typedef void prof_control_on_fault(void *arg, const struct fault *f);

/*
 * Runs prof --control.  names: the target (a pid, a directory or a profile),
 * then the command (start, stop, end, interval, watch, mode, dump or status)
 * and its value.  output: a file; NULL: standard output; it is left as it is if
 * no process was found.  fault: called with arg for each fault.  Returns 0;
 * -ESRCH once `fault` was called, for a process that did not take the command
 * as for an output that cannot be written; -EINVAL for wrong use, after a line
 * on standard error; or -ENOMEM.
 */
int prof_control_run(const char **names, size_t count, const char *output,
    enum data_table_format form, prof_control_on_fault *fault, void *arg);

#endif
