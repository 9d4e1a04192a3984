/* Context: T.  What a new process image is to inherit of the signals. */
#ifndef EXEC_SIGNALS_H
#define EXEC_SIGNALS_H

#include "base/state.h"

/*
 * Around everything that makes another process image: the program's mask and
 * actions are really in force between the two.
 */
struct exec_signals {
	bool active;
	uint64_t mask;		/* before */
	bool ignored;
};
void exec_signals_apply(struct exec_signals *e);
void exec_signals_restore(const struct exec_signals *e);

/* In a fork child: whoever was between the two is in the parent. */
void exec_signals_fork_child(void);

/* In a fork child that is not followed: all is the program's again. */
void exec_signals_uninstall(void);

#endif
