/*
 * Context: O.  Reads the allocations of a profile into the model, for
 * read_profile.c.
 */
#ifndef READ_PROFILE_HEAP_H
#define READ_PROFILE_HEAP_H

#include "read/profile_reader.h"

/*
 * Reads the allocations of the file, which are in the trees of its
 * alloc_threads, into the model, and the points of its heap timeline.  Call it
 * after profile_modules_read(), with x->frames where stacks are kept.  Returns
 * 0, also if the file counted none; or -EINVAL or -ENOMEM with *x->fault set.
 */
int read_profile_heap(struct profile_reader *x);

/*
 * Checks that a file with counted blocks has points of the heap timeline.
 * Returns 0, also if no blocks were counted, or -EINVAL with *f set.
 */
int read_profile_heap_check(const struct decode *d, struct fault *f);

#endif
