/* Context: T.  Our ticks give way to the program's use of their signal. */
#ifndef SIGMOVE_H
#define SIGMOVE_H

#include "state.h"

/*
 * The program uses signal `sig` itself: if that is the tick's, the ticks move
 * to another.  Not for queries or SIG_DFL.
 */
void sigmove_use(int sig);

/* ITIMER_PROF, which sends SIGPROF, is the program's. */
void sigmove_program_takes_itimer(void);

/*
 * Give the tick's signal back to the program, once: our ticks come by another
 * from now on.  For who knows that it is used.
 */
void sigmove_now(void);

#endif
