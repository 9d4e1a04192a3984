/* Context: O.  Reads the allocations of a profile into the model. */
#ifndef READ_PROFILE_HEAP_H
#define READ_PROFILE_HEAP_H

#include "read/profile_reader.h"

/*
 * Reads the allocations of the file, which are in its lanes, into the model.
 * Returns 0, or -errno with *x->fault set.
 */
int read_profile_heap(struct profile_reader *x);

/*
 * Checks that a file with a heap has points of its timeline.  Returns 0, or
 * -errno with *f set.
 */
int read_profile_heap_check(const struct decode *d, struct fault *f);

#endif
