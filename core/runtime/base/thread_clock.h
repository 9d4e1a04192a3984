/*
 * Context: T.  Chooses the coarse clock of a thread, stops and starts the
 * clocks of all threads, and gives a thread that is about to sleep its fine
 * clock.  For the begin of threads, the move, a failed exec, the freeze and the
 * classic calls; the last two functions are for hooks, also the stubs of
 * preload/sleep_CPU.S, and may be called in any process.  All others are for a
 * profiled process that is not frozen.
 */
#ifndef THREAD_CLOCK_H
#define THREAD_CLOCK_H

#include "base/state.h"

/*
 * Gives the thread a timer of its own or, if there can be none, the timer of
 * the process.  If there is neither, counts a loss, once a thread.  s: any
 * thread of the process that lives, also another one than the caller's.  A
 * thread whose alternate stack is too small gets no clock.  The fine clock is
 * started by ticks.
 */
void thread_clock_start(struct thread_slot *s);

/*
 * Stops the clocks of all threads and of the process, because nobody wants
 * samples (classic/clock_demand.c); threads that begin later get none.  Calls
 * (arcs) are still counted.
 */
void thread_clock_stop_all(void);

/* Starts the clocks again after thread_clock_stop_all(), else does nothing. */
void thread_clock_start_all(void);

/*
 * Stops the timer of the process, because the calling thread has no stack that
 * holds a tick.  Gives each thread a timer of its own, if it can have one.
 */
void thread_clock_drop_itimer(void);

/*
 * Starts the timer of the process again, which was stopped a moment ago for an
 * exec that failed or a filter that was refused.  If that fails, counts a loss
 * for each thread.
 */
void thread_clock_restart_itimer(void);

/*
 * Checks whether the coarse clock misses the calling thread, which is about to
 * sleep; if so, gives the thread its fine clock.  The thread may be in any
 * context, a signal handler of the program included.  Keeps errno.  Costs up to
 * two system calls (0.5 us) if the thread's sleeps are checked
 * (thread_slot.sleep_check), else nothing.
 */
void thread_clock_before_sleep(void);

/*
 * Calls thread_clock_before_sleep() if it has anything to do: for hooks in C.
 */
static inline void
thread_clock_check_sleep(void)
{
	const struct thread_slot *s = thread_slot_self;

	if (s != NULL && s->sleep_check != 0)
		thread_clock_before_sleep();
}

#endif
