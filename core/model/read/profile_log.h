/*
 * Context: O.  Reads the tick logs of a profile as moments of the model, for
 * read_profile.c.
 */
#ifndef PROFILE_LOG_H
#define PROFILE_LOG_H

#include "read/profile_reader.h"

/*
 * Reads all logged ticks; does nothing if x->rows is NULL.  The rows of the
 * file's nodes must be in x->rows.  May allocate x->timed, which the caller
 * frees.  Returns 0, or -EINVAL or -ENOMEM with *x->fault set.
 */
int profile_log_read(struct profile_reader *x);

#endif
