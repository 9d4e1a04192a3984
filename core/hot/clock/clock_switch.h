/*
 * Context: S.  Decides when a thread's fine clock goes on and off, and switches
 * it.  Coarse ticks, thread starts (thread.c) and the hooks of functions that
 * sleep (thread_clock.c) call it, in the thread of s; in a frozen process
 * nothing is switched.
 */
#ifndef CLOCK_SWITCH_H
#define CLOCK_SWITCH_H

#include "base/state.h"

/*
 * Switches the fine clock of the calling thread on or off, or leaves it as it
 * is.  The handler of a coarse tick calls it with `busy` held, after it has
 * updated s->cpu.ns.  first: it is the first tick of the thread.  other_pace:
 * perf_rate_update() has just changed s->rate.pace.
 */
void clock_switch_update(struct thread_slot *s, bool first, bool other_pace);

/*
 * Returns whether the thread of s will never have a fine clock (again): it was
 * refused, a seccomp filter is there, or none is asked for.
 */
bool clock_switch_is_final(const struct thread_slot *s);

/*
 * Returns whether the thread of s may still get a fine clock, so that its
 * sleeps have to be watched until then.  Only that thread calls it.
 */
bool clock_switch_may_start(const struct thread_slot *s);

/*
 * Returns whether the calling thread, whose slot is s, has used a whole
 * interval of the coarse clock since that clock last saw it.  A thread that
 * runs through a tick of the scheduler has not.  Costs one system call (0.3
 * us).
 */
bool clock_switch_is_missed(const struct thread_slot *s);

/*
 * Switches the fine clock on for the calling thread, which the coarse clock
 * misses.  The caller holds `busy` and has signals blocked.  The next samples
 * carry the CPU time that the thread has used and the coarse clock has not
 * counted.
 */
void clock_switch_start(struct thread_slot *s);

#endif
