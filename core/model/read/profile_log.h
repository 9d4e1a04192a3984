/*
 * Context: O.  Reads the tick logs of a profile as moments of the model, for
 * read_profile.c, after it has read all trees of nodes.
 */
#ifndef PROFILE_LOG_H
#define PROFILE_LOG_H

#include "read/profile_reader.h"

/*
 * Adds all logged ticks to the model as moments; does nothing if x->rows is
 * NULL.  The rows of the file's nodes must be in x->rows, and x->scale must be
 * set.  Leaves out ticks of nodes that have no row: those of threads that were
 * not selected, and those that a truncated file does not have.  Sets x->real
 * from the run, which it adds to model.runs if it is new.  May allocate
 * x->timed, which read_profile_add() frees.  Returns 0, or -EINVAL or -ENOMEM
 * with *x->fault set.
 */
int profile_log_read(struct profile_reader *x);

#endif
