/*
 * Context: S.  Steps from a frame to its caller: what the parts of a walk
 * share.
 */
#ifndef UNWIND_STEP_H
#define UNWIND_STEP_H

#include "module/modules.h"
#include "unwind/dwarf_expr.h"
#include "unwind/unwind_cache.h"

/*
 * Results of a step, besides the positive values of enum format_cut: a caller
 * was found; the frame is the outermost one; no call made the return address,
 * which makecontext() put there, so the frame has no caller.
 */
enum { UNWIND_STEP_FOUND = 0, UNWIND_STEP_OUTERMOST = -1, UNWIND_STEP_PLANTED =
    -2 };

/* The state of a walk. */
struct stack_walk {
	struct unwind_registers now;
	struct stack_read memory;
	struct unwind_cache rows;
	/* pc is the current instruction, not a return address */
	bool exact;
	/* the caller just found was interrupted by a signal */
	bool broken_in;
	/* the caller was found where a frame pointer may have been */
	bool guessed;
	/* the frame before it was found so, and fp 0 ends the chain */
	bool linked_by_fp;
	/*
	 * bounds of a stack that libc began, in code that has tables; 0:
	 * another stack
	 */
	uintptr_t libc_low, libc_high;
	/* start of text that was found readable, or 0 */
	uintptr_t sure;
	/* address of tables that were found readable, or 0 */
	uintptr_t sure_index;
	unsigned look_ups;	/* cost of the searches in tables so far */
	uintptr_t unknown;	/* address that is in no known code, or 0 */
};

/* Prepares *w to walk from the place *from, in the slot's thread. */
struct stack_walk_start;
void stack_walk_begin(struct stack_walk *w, struct thread_slot *s,
    const struct stack_walk_start *from);

/*
 * Returns whether the frame is where the kernel began the first thread, which
 * has no caller.
 */
bool stack_walk_is_at_entry(const struct stack_walk *w);

/* The caller that a step found.  base: unchanged if its value is not found. */
struct unwind_step_caller {
	uintptr_t pc, sp, fp, base;
};

/*
 * Returns a caller with the registers of the current frame, and its link
 * register as pc.
 */
static inline struct unwind_step_caller
unwind_step_init_caller(const struct stack_walk *w)
{
	const struct unwind_step_caller c = {w->now.link, 0, w->now.fp,
	    w->now.base};

	return c;
}

/* Loads the word at from + offset of the walk's memory. */
static inline bool
unwind_step_load(struct stack_walk *w, uintptr_t from, uintptr_t offset,
    uintptr_t *value)
{
	return stack_read_load(&w->memory, from + offset, value);
}

/*
 * Moves w->now to the caller of the current frame.  Returns one of the results
 * above, or the enum format_cut that says why there is no caller.
 *
 * The four functions find the caller in different ways: unwind_step_out() by
 * any rule, a cached one if there is one; unwind_step_signal() from a signal
 * handler's frame; unwind_step_to() is given the caller's registers;
 * unwind_guess_caller() guesses, where no table holds the address.
 */
int unwind_step_out(struct stack_walk *w);
int unwind_step_signal(struct stack_walk *w);
int unwind_step_to(struct stack_walk *w, const struct unwind_step_caller *c);
int unwind_guess_caller(struct stack_walk *w, const struct module_text *t);

/*
 * Returns the register that holds the frame's address, if the innermost
 * function restores its stack pointer from it, judged by the bytes of the
 * instruction at pc; 0 if not.
 */
unsigned unwind_guess_sp_register(struct stack_walk *w,
    const struct module_text *t);

/* Returns the enum format_cut for a word of the stack that was not loaded. */
int unwind_step_load_error(const struct stack_walk *w);

/*
 * Returns whether the unwind tables of this text can be read, or it has none.
 */
bool unwind_guess_tables_there(struct stack_walk *w,
    const struct module_text *t);

#endif
