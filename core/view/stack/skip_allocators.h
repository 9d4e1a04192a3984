/*
 * Context: O.  Attributes allocations to the callers of functions that only
 * request memory for others.
 */
#ifndef SKIP_ALLOCATORS_H
#define SKIP_ALLOCATORS_H

#include "base/model.h"

/*
 * Moves what operator new, strdup and the like have requested to the function
 * that called them.  The model must keep stacks; call it once, after
 * symbolize_all().
 */
void skip_allocators(struct model *m);

/*
 * Moves allocations to the first function on their stacks, inlined ones
 * included, that is not of a system library: library[f] says whether function f
 * is.  A row without such a function stays.  The model must keep stacks; call
 * it once, after symbolize_all().
 */
void skip_allocators_libraries(struct model *m, const bool *library);

#endif
