/*
 * Context: T.  Puts the program's own signal mask and actions in force for a
 * new process image, which inherits them: before exec (life/exec_image.c) and
 * posix_spawn (its hook), and in fork children.  The first two functions may
 * also be called in a vfork child, and do nothing in a frozen process.
 */
#ifndef EXEC_SIGNALS_H
#define EXEC_SIGNALS_H

#include "base/state.h"

/* State that exec_signals_apply() has changed, for exec_signals_restore(). */
struct exec_signals {
	bool active;		/* something was changed */
	uint64_t mask;		/* kernel's mask before */
	/* the program ignores a signal that libmon handles */
	bool ignored;
};

/*
 * Puts the program's mask in force in the calling thread, and its actions in
 * the process, before each call that makes another process image.  Fills *e.
 */
void exec_signals_apply(struct exec_signals *e);

/*
 * Puts libmon's mask and actions in force again: after an exec that failed, or
 * after a spawn.
 */
void exec_signals_restore(const struct exec_signals *e);

/*
 * Repairs the actions in a fork child, if a thread of the parent was between
 * exec_signals_apply() and exec_signals_restore() at the fork.
 */
void exec_signals_fork_child(void);

/*
 * Makes all signal state the program's for good, in a fork child that is not
 * followed (follow=no).  libmon's alternate stack stays set.
 */
void exec_signals_uninstall(void);

#endif
