/* Context: O.  Every input file into one model. */
#ifndef GATHER_H
#define GATHER_H

#include "input.h"
#include "model.h"

/* A file that cannot be shown; the others still are. */
typedef void gather_fault(void *arg, const struct fault *f);
typedef void gather_progress(void *arg, size_t done, size_t all,
    const char *what);

/*
 * A file that was met before, under whatever name, is not added twice; one that
 * nobody named and that is no profile is passed over.  progress: or NULL.  0 or
 * -ENOMEM.
 */
int gather_all(struct model *m, const struct input *in, gather_fault *fault,
    gather_progress *progress, void *arg);

#endif
