/*
 * Context: T.  Keeps the program's view of signal actions whole, for the hooks
 * of sigaction(2), signal(3) and the like (preload/signal/hook_sigaction.c).
 * sigaction_save_masks() and the functions that translate or note masks are for
 * a profiled process, and for signals from 1 to 64.
 */
#ifndef SIGACTION_H
#define SIGACTION_H

#include "base/state.h"

/*
 * Sets libmon's signal handler for the tick's signal and for the one that the
 * ticks may move to, at the start of a process image.  Does nothing in a fork
 * child, which inherits it.
 */
void sigaction_install(void);

/*
 * Returns whether the program's action for sig is kept by libmon instead of the
 * kernel.  Returns false in a vfork child, whose actions are its own.
 */
bool sigaction_is_virtual(int sig);

/*
 * Does what sigaction(2) does, for a signal for which sigaction_is_virtual() is
 * true; act and old may be NULL.  Moves the ticks first if their signal gets an
 * action of its own.  Returns 0 or -errno.
 */
int sigaction_set_virtual(int sig, const struct sigaction *act,
    struct sigaction *old);

/*
 * The signals, a bit each, in whose sa_mask the program has the tick's signal
 * (masked) or the shadow (shadowed).  These are not in the kernel's sa_mask.
 */
struct sigaction_masks {
	uint64_t masked, shadowed;
};

/* Returns the current state, for sigaction_translate_out(). */
struct sigaction_masks sigaction_save_masks(void);

/*
 * Fills *real with the action to pass to the kernel for the program's action
 * `act`, for a signal whose action the kernel keeps.
 */
void sigaction_translate_in(int sig, const struct sigaction *act,
    struct sigaction *real);

/* Notes the masks of `act`, after the kernel has taken it. */
void sigaction_note_set(int sig, const struct sigaction *act);

/*
 * Turns the kernel's former action *old into the action that the program has
 * set.  before: the masks before the change.
 */
void sigaction_translate_out(int sig, struct sigaction *old,
    const struct sigaction_masks *before);

/*
 * Notes that libc is about to set this handler, so that it is not taken for one
 * that a raw system call sets.
 */
void sigaction_note_handler(int sig, sighandler_t handler);

/*
 * Puts the program's own handler into an action in which the kernel names that
 * of libmon.  Also for a vfork child and a process that is not followed.
 */
void sigaction_unwrap(int sig, struct sigaction *old);

/*
 * Forgets the masks of sig, because signal(3) or the like sets another action.
 */
void sigaction_forget(int sig);

#endif
