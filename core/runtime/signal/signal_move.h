/*
 * Context: T.  Moves the ticks to another signal when the program uses theirs:
 * for hooks of signals, timers and descriptors, which find that out, for this
 * room, and for the start of a process that has inherited the signal ignored.
 * In a vfork child and in a frozen process the ticks do not move.
 */
#ifndef SIGNAL_MOVE_H
#define SIGNAL_MOVE_H

#include "base/state.h"

/*
 * Moves the ticks to another signal if `sig`, which the program uses, is theirs
 * or the shadow.  sig: any number.  Not to be called for queries or SIG_DFL.
 */
void signal_move_if_used(int sig);

/*
 * Stops libmon's use of ITIMER_PROF, because the program sets it; moves the
 * ticks if their signal is SIGPROF, which that timer sends.
 */
void signal_move_yield_itimer(void);

/*
 * Gives the tick's signal back to the program, once, and moves the ticks to the
 * other signal, in all threads.  For callers that know that the program uses
 * it, in a profiled process and not in a vfork child.  Does nothing in a frozen
 * process, or if the other signal is not handled by libmon.
 */
void signal_move_ticks(void);

#endif
