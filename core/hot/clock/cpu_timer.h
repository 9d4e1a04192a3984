/*
 * Context: S.  The coarse clock: a POSIX timer on the CPU time of each thread,
 * which expires at the scheduler's tick.  Where no thread can have a timer, or
 * with tier=process, the process clock (ITIMER_PROF) stands in for all threads;
 * thread_clock.c in core/runtime chooses.  Called by the start of a thread,
 * scans, ticks, orders and whatever stops clocks (seal, exec, seccomp, moves,
 * freed slots), in any thread.  Functions that set or delete timers are not
 * called in a frozen process.
 */
#ifndef CPU_TIMER_H
#define CPU_TIMER_H

#include "base/state.h"

/*
 * Arms the coarse clock of thread s->tid, which may be any thread of the
 * process, for thread_clock.c and thread_scan.c, and writes to
 * s->coarse_clock.kind which kind of clock it is.  Returns 0, or -errno after
 * writing the errno to s->coarse_clock.error.  Does nothing and returns 0 if
 * the process is not counting any more or has no clocks, because a clock costs
 * interrupts.  Returns 0 without a new timer, too, if another thread was
 * quicker or the thread's alternate stack is too small.
 */
int cpu_timer_arm(struct thread_slot *s);

/*
 * Returns the CPU time of a thread of this process in ns, or 0 if there is no
 * such thread.
 */
uint64_t cpu_timer_thread_time(int tid);

/* Deletes the coarse clock of s, if it has one.  Any thread may call it. */
void cpu_timer_stop(struct thread_slot *s);

/*
 * Returns whether no time is counted, neither for the file nor in histograms,
 * so that a tick now and then is enough.
 */
bool cpu_timer_is_idle(void);

/*
 * Gives all timers the interval that holds now, after that has changed, and
 * increments mon->epoch.  Each thread finds at its next tick that its epoch is
 * an old one, and then starts its clocks again with cpu_timer_renew_interval().
 * Any thread and any signal handler may call it, but not in a frozen process.
 */
void cpu_timer_apply_interval(void);

/*
 * Sets the interval and the epoch in s to those that hold now.  Makes no system
 * call.  The tick of s calls it, or who arms the timer.
 */
void cpu_timer_renew_interval(struct thread_slot *s);

/*
 * Starts the process clock, unless it runs, for threads that can have no timer.
 * Does nothing and returns 0 where cpu_timer_arm() does.  Returns 0 or -errno:
 * -EBUSY while another thread starts, changes or stops it; -ENOTSUP if some
 * thread has an alternate stack that its tick, which comes on any thread, would
 * overflow, so that the thread would die.
 */
int cpu_timer_arm_process(void);

/* Stops the process clock, if it runs.  A signal of it may still be pending. */
void cpu_timer_stop_process(void);

#endif
