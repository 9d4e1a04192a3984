/*
 * Context: S.  Counts one tick by the clock that sent it, and keeps the clocks
 * of its thread right.  tick.c calls it, in the thread that ticks, also in a
 * frozen process.
 */
#ifndef TICK_COUNT_H
#define TICK_COUNT_H

#include "base/state.h"

#include <signal.h>

/*
 * Counts one tick of the thread of s, which is at pc; takes an order that waits
 * first.  Takes `busy`, and counts a loss if that is taken.  Does nothing if
 * the process does not count any more.  si: the tick's signal.  uc: the
 * registers there, or NULL if they are not known.
 */
void tick_count(struct thread_slot *s, const siginfo_t *si, uintptr_t pc,
    const ucontext_t *uc);

#endif
