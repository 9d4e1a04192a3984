/* Context: O.  Every input file into one model. */
#ifndef READ_INPUTS_H
#define READ_INPUTS_H

#include "base/model.h"
#include "input.h"

/* A file that cannot be shown; the others still are. */
typedef void read_inputs_fault(void *arg, const struct fault *f);
typedef void read_inputs_progress(void *arg, size_t done, size_t all,
    const char *what);

/*
 * A file that was met before, under whatever name, is not added twice; one that
 * nobody named and that is no profile is passed over.  progress: or NULL.  0 or
 * -ENOMEM.
 */
int read_inputs(struct model *m, const struct input *in,
    read_inputs_fault *fault, read_inputs_progress *progress, void *arg);

#endif
