/*
 * Context: S.  Finds threads that were made without a call of our hooks, and
 * clocks them.
 */
#ifndef THREAD_SCAN_H
#define THREAD_SCAN_H

#include "base/state.h"

/*
 * Clocks every thread of the process that has no slot yet, if the kernel counts
 * other threads than we do.  Does nothing if it was called in the last second.
 */
void thread_scan_if_due(void);

/* Reclaims slots of dead threads, and clocks every thread that has no slot. */
void thread_scan_now(void);

/*
 * Gives the existing thread `tid` a slot and a coarse clock.  Returns the slot,
 * or NULL if the thread has one meanwhile or can have none; the latter is
 * counted as a loss.
 */
struct thread_slot *thread_scan_attach(int tid);

#endif
