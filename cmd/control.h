/* Context: O.  prof --control: telling running processes what to do. */
#ifndef CONTROL_H
#define CONTROL_H

#include "fault.h"
#include "sheet.h"

typedef void control_fault(void *arg, const struct fault *f);

/*
 * names: who (a pid, a directory, a file), and what: start, stop, end,
 * interval, mode, dump or status.  output: a file, NULL standard output; left
 * as it is if nobody was told.  0, -ESRCH: somebody did not, which is said;
 * -EINVAL: wrong use, likewise.
 */
int control_run(const char **names, size_t count, const char *output,
    enum sheet_form form, control_fault *fault, void *arg);

#endif
