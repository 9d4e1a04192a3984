/*
 * Context: O.  Functions that only ask for memory on behalf of their callers.
 */
#ifndef SKIP_ALLOCATORS_H
#define SKIP_ALLOCATORS_H

#include "base/model.h"

/*
 * After symbolize_all(), where stacks are kept: what operator new or strdup
 * asked for is of whoever called that.
 */
void skip_allocators(struct model *m);

#endif
