/*
 * Context: S.  Finds callers of code that no unwind table holds and that is
 * known by its bytes: CPython's trampolines, and Go's ways to call C and its
 * own runtime.  unwind_step.c calls it, in a walk.
 */
#ifndef UNWIND_KNOWN_H
#define UNWIND_KNOWN_H

#include "module/modules.h"
#include "unwind/unwind_state.h"

/*
 * Moves w->now to the caller, if all bytes of the code prove where it is, and
 * sets *result as unwind_state_move() returns it.  t: the text that holds the
 * current frame's address.  Returns false if the code is not known.
 */
bool unwind_known_caller(struct stack_walk *w, const struct module_text *t,
    int *result);

/*
 * Does as unwind_known_caller() in a trampoline that lies in the same mapping
 * as the last one that this walk has met, without a search for the mapping.
 * Returns false if there is none.
 */
bool unwind_known_trampoline(struct stack_walk *w, int *result);

#endif
