/*
 * Context: S.  The state of a walk of a stack, and what all ways to find a
 * caller share.  unwind_step.c, unwind_guess.c and unwind_known.c find the
 * caller's registers; these functions check them and make the caller the
 * current frame.  stack_walk_begin() fills in the state, which lies on the
 * stack of the walking thread; samples and allocations with stacks are walked.
 */
#ifndef UNWIND_STATE_H
#define UNWIND_STATE_H

#include "unwind/dwarf_expr.h"
#include "unwind/unwind_cache.h"

/*
 * Results of a step.  A positive result is an enum format_cut: the walk ends
 * there, for that reason.
 */
enum {
	UNWIND_STEP_FOUND = 0,		/* the caller is the current frame */
	UNWIND_STEP_OUTERMOST = -1,	/* the frame is the outermost one */
	/* makecontext() put the return address there: there is no caller */
	UNWIND_STEP_PLANTED = -2,
};

/* The state of a walk. */
struct stack_walk {
	struct unwind_registers now;
	struct stack_read memory;
	struct unwind_cache rules;
	/* the thread walks its own stack, as it is now */
	bool own;
	/* pc is the current instruction, not a return address */
	bool exact;
	/* the caller just found was interrupted by a signal */
	bool interrupted;
	/* the caller just found is on another stack, as its code proves */
	bool switched;
	/* the caller was found where a frame pointer may have been */
	bool guessed;
	/*
	 * the current frame itself was found so: if its fp is 0, it is the
	 * outermost one
	 */
	bool linked_by_fp;
	/*
	 * bounds of the thread's stack if libc made it: libc's first frames on
	 * it have unwind tables; 0: another stack
	 */
	uintptr_t libc_low, libc_high;
	/* start of text that was found readable, or 0 */
	uintptr_t sure;
	/* address of tables that were found readable, or 0 */
	uintptr_t sure_index;
	/* bounds of generated code with a trampoline, once one was met, or 0 */
	uintptr_t trampolines, trampolines_end;
	unsigned search_cost;	/* of the searches in tables so far */
	uintptr_t unknown;	/* address that is in no known code, or 0 */
};

/*
 * The caller that a step found.  base: the callee's if the caller's value is
 * not found.
 */
struct unwind_state_caller {
	uintptr_t pc, sp, fp, base;
};

/*
 * Returns a caller with the registers of the current frame, and its link
 * register as pc.
 */
static inline struct unwind_state_caller
unwind_state_init_caller(const struct stack_walk *w)
{
	const struct unwind_state_caller c = {w->now.link, 0, w->now.fp,
	    w->now.base};

	return c;
}

/*
 * Loads the word at from + offset, in bytes.  Returns false if the stack cannot
 * be read there.
 */
static inline bool
unwind_state_load(struct stack_walk *w, uintptr_t from, uintptr_t offset,
    uintptr_t *value)
{
	return stack_read_load(&w->memory, from + offset, value);
}

/*
 * Moves w->now to the caller *c.  Returns UNWIND_STEP_FOUND; another one of the
 * results above; or the enum format_cut that says why there is no such caller.
 */
int unwind_state_move(struct stack_walk *w,
    const struct unwind_state_caller *c);

/*
 * Moves w->now from the frame of a signal handler to the code that the signal
 * interrupted.  Results are those of unwind_state_move().
 */
int unwind_state_leave_signal(struct stack_walk *w);

/* Returns the enum format_cut for a word of the stack that was not loaded. */
int unwind_state_load_error(const struct stack_walk *w);

#endif
