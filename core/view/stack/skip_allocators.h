/*
 * Context: O.  Attributes allocations to the callers of functions that only
 * request memory for others.
 */
#ifndef SKIP_ALLOCATORS_H
#define SKIP_ALLOCATORS_H

#include "base/model.h"

/*
 * Moves what operator new, strdup and the like have requested to the function
 * that called them.  The model must keep stacks; call it after symbolize_all().
 */
void skip_allocators(struct model *m);

#endif
