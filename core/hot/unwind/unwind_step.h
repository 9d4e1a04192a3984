/* Context: S.  A walk from frame to frame: what its parts share. */
#ifndef UNWIND_STEP_H
#define UNWIND_STEP_H

#include "module/modules.h"
#include "unwind/dwarf_expr.h"
#include "unwind/unwind_cache.h"

/* What a step tells: a caller was found, none is, or why it was not. */
enum { UNWIND_STEP_FOUND = 0, UNWIND_STEP_OUTERMOST = -1, UNWIND_STEP_PLANTED =
    -2 };

struct stack_walk {
	struct unwind_registers now;
	struct stack_read memory;
	struct unwind_cache rows;
	bool exact;		/* pc is where it is, not behind a call */
	bool broken_in;		/* the same of the caller just found */
	/* that is where a frame pointer may have been */
	bool guessed;
	bool linked_by_fp;	/* the one before it was, and 0 ends a chain */
	uintptr_t libc_low, libc_high;	/* a stack that libc's code began, which
				   has tables; 0 is another's */
	uintptr_t sure;		/* begin of text that answered; 0 none yet */
	uintptr_t sure_index;	/* the same of tables */
	unsigned look_ups;
	uintptr_t unknown;	/* where no code is known; 0 all was */
};

/* From there on, in the slot's thread. */
struct stack_walk_start;
void stack_walk_begin(struct stack_walk *w, struct thread_slot *s,
    const struct stack_walk_start *from);

/* Where the kernel began the first thread: nothing called that. */
bool stack_walk_is_at_entry(const struct stack_walk *w);

/* What was found of the caller; base: as it was, where it is not said. */
struct unwind_step_caller {
	uintptr_t pc, sp, fp, base;
};

static inline struct unwind_step_caller
unwind_step_init_caller(const struct stack_walk *w)
{
	const struct unwind_step_caller c = {w->now.link, 0, w->now.fp,
	    w->now.base};

	return c;
}

static inline bool
unwind_step_load(struct stack_walk *w, uintptr_t from, uintptr_t offset,
    uintptr_t *value)
{
	return stack_read_load(&w->memory, from + offset, value);
}

/*
 * Each: one of the above, or the enum format_cut that says why there is no
 * caller.  From the frame of `now` to that of its caller; by any rule, by that
 * of a signal's return, to a caller whose registers were found; by a guess,
 * where no table holds the place.
 */
int unwind_step_out(struct stack_walk *w);
int unwind_step_signal(struct stack_walk *w);
int unwind_step_to(struct stack_walk *w, const struct unwind_step_caller *c);
int unwind_guess_caller(struct stack_walk *w, const struct module_text *t);

/*
 * Returns the register that holds the frame's address, if the innermost
 * function restores its stack pointer from it, by the bytes of the instruction
 * at pc; 0 if not.
 */
unsigned unwind_guess_sp_register(struct stack_walk *w,
    const struct module_text *t);

/* Why a word of the stack was not loaded. */
int unwind_step_load_error(const struct stack_walk *w);

/* Are the tables of this text, if it has any, there? */
bool unwind_guess_tables_there(struct stack_walk *w,
    const struct module_text *t);

#endif
