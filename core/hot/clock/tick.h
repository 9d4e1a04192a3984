/* Context: S.  The handler of the tick's signal. */
#ifndef TICK_H
#define TICK_H

#include "base/state.h"

void tick_handler(int sig, siginfo_t *si, void *context);

/*
 * A tick that was taken off the queue instead of delivered (sigwait, drain):
 * counted at pc.  False: not one of ours.
 */
bool tick_count_dequeued(const siginfo_t *si, uintptr_t pc);

#endif
