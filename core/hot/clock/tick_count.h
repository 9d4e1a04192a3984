/*
 * Context: S.  Counts one tick by the clock that sent it, and keeps the clocks
 * of its thread right.
 */
#ifndef TICK_COUNT_H
#define TICK_COUNT_H

#include "base/state.h"

#include <signal.h>

/*
 * Counts one tick of the thread of s, which is at pc.  uc: the registers there,
 * or NULL if they are not known.
 */
void tick_count(struct thread_slot *s, const siginfo_t *si, uintptr_t pc,
    const ucontext_t *uc);

#endif
