/*
 * Context: T.  Moves the ticks to another signal when the program uses theirs,
 * as hooks of signals, timers and descriptors find out.
 */
#ifndef SIGNAL_MOVE_H
#define SIGNAL_MOVE_H

#include "base/state.h"

/*
 * Moves the ticks to another signal if `sig`, which the program uses, is theirs
 * or the shadow.  Not to be called for queries or SIG_DFL.
 */
void signal_move_if_used(int sig);

/*
 * Stops libmon's use of ITIMER_PROF, because the program sets it; moves the
 * ticks if their signal is SIGPROF, which that timer sends.
 */
void signal_move_yield_itimer(void);

/*
 * Gives the tick's signal back to the program, once, and moves the ticks to the
 * other signal.  For callers that know that the program uses it, in a profiled
 * process.  Does nothing behind a seccomp filter.
 */
void signal_move_ticks(void);

#endif
