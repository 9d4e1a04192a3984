/*
 * Context: O.  Functions that only ask for memory on behalf of their callers.
 */
#ifndef ALLOCATORS_H
#define ALLOCATORS_H

#include "model.h"

/*
 * After symbolise_all(), where stacks are kept: what operator new or strdup
 * asked for is of whoever called that.
 */
void allocators_skip(struct model *m);

#endif
