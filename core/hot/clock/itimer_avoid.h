/*
 * Context: S.  Keeps the coarse clock clear of the program's own interval
 * timers of CPU time, which expire in the scheduler's ticks as ours do.  The
 * handler of a coarse tick (tick_count.c) calls it, with `busy` held, in a
 * process that is not frozen.
 */
#ifndef ITIMER_AVOID_H
#define ITIMER_AVOID_H

#include "base/state.h"

/*
 * If the process has several threads and no process clock, finds out whether
 * the program runs an interval timer of CPU time, and writes the answer to
 * mon->itimers.  It is called at a thread's first tick and once in its CPU
 * second, because such a timer can be inherited over exec or be set by a raw
 * system call.
 */
void itimer_avoid_poll(void);

/*
 * Delays the next coarse tick of s to a tick of the scheduler in which no
 * interval timer of the program expires, or by the longest delay that is
 * allowed if all of them are taken until then.  step: CPU time, ns, that the
 * process uses from one of the scheduler's ticks to the next.  The longest
 * delay is short if s is young.  Does nothing in a process of one thread.  The
 * coarse tick of s calls it, with `busy` held.
 */
void itimer_avoid_delay_tick(struct thread_slot *s, uint64_t step);

/*
 * Returns the first n in [least, most) such that neither of the two timers in
 * `v` expires in the nth step of `step` ns from now, or `most` if there is
 * none.
 */
unsigned itimer_avoid_find_quiet(const struct itimerval v[2], unsigned least,
    unsigned most, uint64_t step);

#endif
