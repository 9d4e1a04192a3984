/*
 * Context: S.  Finds threads that were made without a call of our hooks, and
 * clocks them.  Called by ticks (first ticks of threads, and once in a thread's
 * CPU second), by a start in the middle of the program, and behind the hooks of
 * clone and sigaltstack; not in a frozen process.
 */
#ifndef THREAD_SCAN_H
#define THREAD_SCAN_H

#include "base/state.h"

/*
 * Marks the memory map as one to be read again, and clocks every thread of the
 * process that has no slot yet, if the kernel's number of threads is not ours.
 * Does nothing if it was called in the last second.  The handler of a coarse
 * tick calls it with `busy` held.
 */
void thread_scan_if_due(void);

/*
 * Reclaims slots of dead threads, and clocks every thread that has no slot.
 * May wait for the helper of clock=wall, if that looks at such a slot.
 */
void thread_scan_now(void);

/*
 * Takes a slot for the existing thread `tid`, which may be the caller.  Returns
 * NULL if there is none, which is counted as a loss.  The caller sets where its
 * life begins, by a function of thread_life.h, and then calls
 * thread_scan_attach().
 */
struct thread_slot *thread_scan_take(int tid);

/*
 * Gives the thread of s a coarse clock, or leaves it to the process clock if
 * that runs.  Returns s, or NULL if the thread has another slot meanwhile or
 * can have no clock; the latter is counted as a loss.
 */
struct thread_slot *thread_scan_attach(struct thread_slot *s);

#endif
