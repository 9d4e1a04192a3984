/*
 * Context: T.  Gives a new process image the signal state that it inherits from
 * the program: its mask, and the signals that it ignores.  For exec
 * (life/exec_image.c), the hooks of posix_spawn, system, popen and wordexp
 * (hook_spawn.c), and fork children (process_begin.c, process_fork.c).  The
 * first two functions may be called in a vfork child, too; in a frozen process
 * they do nothing.
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
 * Puts the program's mask in force in the calling thread, and really ignores
 * those of our signals that the program ignores, before each call that makes
 * another process image.  Our other actions stay, because an exec resets
 * handlers.  Until exec_signals_restore() the ticks of other threads are lost
 * if the program ignores the tick's signal (LOSS_DISPLACED).  Fills *e.
 */
void exec_signals_apply(struct exec_signals *e);

/*
 * Undoes exec_signals_apply(): after an exec that failed, or after a spawn.  If
 * several threads are in such a call, the last one puts libmon's actions in
 * force again.
 */
void exec_signals_restore(const struct exec_signals *e);

/*
 * Puts libmon's actions in force in a child with memory of its own, before its
 * clocks start, and resets the program's in the picture that it has of them:
 * clone3(2) with CLONE_CLEAR_SIGHAND has reset all handlers.
 */
void exec_signals_clear_child(void);

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
