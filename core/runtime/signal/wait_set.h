/*
 * Context: T.  Translates the sets of calls that wait with a mask (sigsuspend,
 * ppoll) or for signals (sigwait, signalfd), for their hooks.  T is the tick's
 * signal (signal_mask.h).
 */
#ifndef WAIT_SET_H
#define WAIT_SET_H

#include <signal.h>

/*
 * Returns the mask to pass to the kernel in place of `set` for a call that
 * waits with it: `copy`, or `set` itself if that is NULL or cannot be read.
 */
const sigset_t *wait_set_for_mask(const sigset_t *set, sigset_t *copy);

/*
 * Returns the set to pass to the kernel in place of `set` for a call that waits
 * for these signals: `copy`, without T, or `set` itself if that is NULL or
 * cannot be read.  If `set` has T, the program uses it, so T becomes the
 * program's own first.
 */
const sigset_t *wait_set_for_signals(const sigset_t *set, sigset_t *copy);

#endif
