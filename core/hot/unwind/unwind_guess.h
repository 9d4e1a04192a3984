/*
 * Context: S.  Finds callers of code that no unwind table holds: generated
 * code, and functions of an assembler.  unwind_step.c and unwind_known.c call
 * it, in a walk.
 */
#ifndef UNWIND_GUESS_H
#define UNWIND_GUESS_H

#include "module/modules.h"
#include "unwind/unwind_state.h"

/*
 * Returns whether n bytes of code at `at`, at most a page, lie in the text and
 * can be read.
 */
bool unwind_guess_can_read(struct stack_walk *w,
    const struct module_text *t, uintptr_t at, size_t n);

/*
 * Moves w->now to the caller of code that no table holds, by the frame pointer
 * or by the bytes of the code.  t: the text that holds the current frame's
 * address.  Results are those of unwind_state_move().
 */
int unwind_guess_caller(struct stack_walk *w, const struct module_text *t);

/*
 * Returns the register that holds the frame's address, if the innermost
 * function restores its stack pointer from it, judged by the bytes of the
 * instruction at pc; 0 if not.
 */
unsigned unwind_guess_sp_register(struct stack_walk *w,
    const struct module_text *t);

/*
 * Returns whether the unwind tables of this text can be read, or it has none.
 */
bool unwind_guess_has_tables(struct stack_walk *w,
    const struct module_text *t);

#endif
