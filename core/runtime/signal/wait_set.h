/*
 * Context: T.  Translates the signal set that the program passes to a call that
 * waits with a mask (sigsuspend, ppoll) or for signals (sigwait, signalfd).
 * The hooks of these calls (preload/signal) call it, in any process: where
 * libmon does not work, the set stays as it is.
 */
#ifndef WAIT_SET_H
#define WAIT_SET_H

#include <signal.h>

/*
 * Returns the mask to pass to the kernel in place of `set` for a call that
 * waits with it: `copy`, or `set` itself if that is NULL or cannot be read, or
 * if the process is not profiled or a vfork child.
 */
const sigset_t *wait_set_for_mask(const sigset_t *set, sigset_t *copy);

/*
 * Returns the set to pass to the kernel in place of `set` for a call that waits
 * for these signals: `copy`, without the tick's signal, or `set` itself, as
 * wait_set_for_mask() does.  If `set` has the tick's signal, the program uses
 * that, so the ticks move to another one first, unless the process is frozen.
 */
const sigset_t *wait_set_for_signals(const sigset_t *set, sigset_t *copy);

#endif
