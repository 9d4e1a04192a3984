/*
 * Context: O.  Reads all input files into one model.  prof, classic prof, prof
 * record, tprof top and the prof device call it, after model_init(); if they
 * need names, symbolize_all() follows.
 */
#ifndef READ_INPUTS_H
#define READ_INPUTS_H

#include "base/model.h"
#include "input.h"

/*
 * Reports a file that cannot be shown, or only in part; reading goes on.
 * Called by read_inputs() with its `arg`; *f and its texts are valid during the
 * call, f->file as long as the list of files.
 */
typedef void read_inputs_fault(void *arg, const struct fault *f);

/*
 * Reports progress: `done` of `all` files are read, `what` is the path of the
 * next one.  Called by read_inputs() with its `arg`.
 */
typedef void read_inputs_progress(void *arg, size_t done, size_t all,
    const char *what);

/*
 * Reads all files of *in into the model, which must be new, and completes it
 * with model_finish().  A file that was met before, by whatever name, is not
 * added twice; a file that the user did not name and that is no profile is
 * skipped.  May truncate profiles whose process is gone: see load_open().
 * `fault` gets each file that cannot be read, or only in part; a lack of memory
 * alone ends the reading.  `progress` may be NULL.  Returns 0 or -ENOMEM.
 */
int read_inputs(struct model *m, const struct input *in,
    read_inputs_fault *fault, read_inputs_progress *progress, void *arg);

#endif
