/*
 * Context: O.  Attributes allocations to the callers of functions that only
 * request memory for others.  cmd/prof/prof_model.c and
 * core/device/device_files.c call skip_allocators() for a model of allocations;
 * heap_summary.c then calls skip_allocators_libraries().
 */
#ifndef SKIP_ALLOCATORS_H
#define SKIP_ALLOCATORS_H

#include "base/model.h"

/*
 * Moves what operator new, strdup and the like have requested to the function
 * that called them: changes the place, the function and the stack of rows,
 * which are not sorted or merged again.  The model must keep stacks; call it
 * once, after symbolize_all().
 */
void skip_allocators(struct model *m);

/*
 * Moves allocations to the first function on their stacks, inlined ones
 * included, that is not of a system library: library[f] says whether function f
 * is (library_functions_make_system()).  A row without such a function stays.
 * The model must keep stacks; call it once, after symbolize_all().
 */
void skip_allocators_libraries(struct model *m, const bool *library);

#endif
