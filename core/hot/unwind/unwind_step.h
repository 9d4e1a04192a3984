/* Context: S.  Steps from a frame to its caller, by any rule. */
#ifndef UNWIND_STEP_H
#define UNWIND_STEP_H

#include "unwind/unwind_state.h"

/*
 * Moves w->now to the caller of the current frame: by a cached rule if there is
 * one, else by a table, else by a guess.  Results are those of
 * unwind_state_move().
 */
int unwind_step_out(struct stack_walk *w);

#endif
