/* Context: S.  A walk from frame to frame: what its parts share. */
#ifndef STEP_H
#define STEP_H

#include "expression.h"
#include "modules.h"
#include "rows.h"

/* What a step tells: a caller was found, none is, or why it was not. */
enum { FOUND = 0, OUTERMOST = -1, PLANTED = -2 };

struct walk {
	struct registers now;
	struct memory memory;
	struct rows rows;
	bool exact;		/* pc is where it is, not behind a call */
	bool broken_in;		/* the same of the caller just found */
	bool guessed;		/* that is where a frame pointer may have been */
	bool linked_by_fp;	/* the one before it was, and 0 ends a chain */
	uintptr_t libc_low, libc_high;	/* a stack that libc's code began, which
				   has tables; 0 is another's */
	uintptr_t sure;		/* begin of text that answered; 0 none yet */
	uintptr_t sure_index;	/* the same of tables */
	unsigned look_ups;
	uintptr_t unknown;	/* where no code is known; 0 all was */
};

/* From there on, in the slot's thread. */
struct walk_from;
void walk_begin(struct walk *w, struct slot *s, const struct walk_from *from);

/* Where the kernel began the first thread: nothing called that. */
bool walk_is_at_entry(const struct walk *w);

/* What was found of the caller; base: as it was, where it is not said. */
struct caller {
	uintptr_t pc, sp, fp, base;
};

static inline struct caller
step_caller(const struct walk *w)
{
	const struct caller c = {w->now.link, 0, w->now.fp, w->now.base};

	return c;
}

static inline bool
step_load(struct walk *w, uintptr_t from, uintptr_t offset, uintptr_t *value)
{
	return memory_load(&w->memory, from + offset, value);
}

/*
 * Each: one of the above, or the enum format_cut that says why there is no
 * caller.  From the frame of `now` to that of its caller; by any rule, by that
 * of a signal's return, to a caller whose registers were found; by a guess,
 * where no table holds the place.
 */
int step_out(struct walk *w);
int step_signal(struct walk *w);
int step_to(struct walk *w, const struct caller *c);
int guess_caller(struct walk *w, const struct module_text *t);

/*
 * Returns the register that holds the frame's address, if the innermost
 * function restores its stack pointer from it, by the bytes of the instruction
 * at pc; 0 if not.
 */
unsigned guess_restore(struct walk *w, const struct module_text *t);

/* Why a word of the stack was not loaded. */
int step_unreadable(const struct walk *w);

/* Are the tables of this text, if it has any, there? */
bool guess_tables(struct walk *w, const struct module_text *t);

#endif
