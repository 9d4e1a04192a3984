/* Context: O.  Reads the log of ticks of a profile as moments of the model. */
#ifndef PROFILE_LOG_H
#define PROFILE_LOG_H

#include "read/profile_reader.h"

/*
 * Reads all logged ticks, if the model keeps moments.  The rows of the file's
 * nodes must be in x->rows.  Returns 0, or -errno with *x->fault set.
 */
int profile_log_read(struct profile_reader *x);

#endif
