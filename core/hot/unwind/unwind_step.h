/*
 * Context: S.  Steps from a frame to its caller, by any rule.  stack_walk.c and
 * path_cache.c call it, within stack_walk_guard(): it loads from a stack and
 * tables that may vanish.
 */
#ifndef UNWIND_STEP_H
#define UNWIND_STEP_H

#include "unwind/unwind_state.h"

/*
 * Moves w->now to the caller of the current frame: by a cached rule if there is
 * one, else by a table, else by a guess.  Returns UNWIND_STEP_FOUND or another
 * UNWIND_STEP_*, or the enum format_cut that says why the caller is not known.
 */
int unwind_step_out(struct stack_walk *w);

#endif
