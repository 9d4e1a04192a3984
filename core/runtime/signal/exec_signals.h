/*
 * Context: T.  Puts the program's own signal mask and actions in force for a
 * new process image, which inherits them: before exec and posix_spawn, and in
 * fork children.
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
 * Puts the program's mask and actions in force, before each call that makes
 * another process image.
 */
void exec_signals_apply(struct exec_signals *e);

/* Puts libmon's mask and actions in force again. */
void exec_signals_restore(const struct exec_signals *e);

/*
 * Repairs the actions in a fork child, if a thread of the parent was between
 * exec_signals_apply() and exec_signals_restore() at the fork.
 */
void exec_signals_fork_child(void);

/*
 * Makes all signal state the program's for good, in a fork child that is not
 * followed.
 */
void exec_signals_uninstall(void);

#endif
