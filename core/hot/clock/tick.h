/*
 * Context: S.  The handler of the tick's signal, which counts where our clocks
 * find a thread.  The kernel calls the handler, which sigaction.c installs;
 * what reads pending signals (sigmask.c, hook_sigwait.c) calls the other
 * function.
 */
#ifndef TICK_H
#define TICK_H

#include "base/state.h"

/*
 * Handles a signal of the tick's number, or of virtual_signals.fronted: counts
 * a tick of one of our clocks, takes an order after a kick, and passes any
 * other signal on to the program.  The kernel calls it, on our alternate stack
 * as a rule; a stack that a runtime has set by a raw call, or that the program
 * wants for `fronted`, is possible.
 */
void tick_handler(int sig, siginfo_t *si, void *context);

/*
 * Counts at pc a tick whose signal was read from the queue (sigwait(3) or the
 * like) instead of being delivered.  The hooks of such calls call it, in the
 * thread that read the signal.  Returns false if the signal is not from a clock
 * of ours; it is the program's then.
 */
bool tick_count_dequeued(const siginfo_t *si, uintptr_t pc);

#endif
