/* Context: T.  Our ticks give way to the program's use of their signal. */
#ifndef SIGNAL_MOVE_H
#define SIGNAL_MOVE_H

#include "base/state.h"

/*
 * The program uses signal `sig` itself: if that is the tick's, the ticks move
 * to another.  Not for queries or SIG_DFL.
 */
void signal_move_if_used(int sig);

/* ITIMER_PROF, which sends SIGPROF, is the program's. */
void signal_move_yield_itimer(void);

/*
 * Give the tick's signal back to the program, once: our ticks come by another
 * from now on.  For who knows that it is used.
 */
void signal_move_ticks(void);

#endif
