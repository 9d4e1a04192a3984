/*
 * Context: S.  The coarse clock: timers on CPU time, at the scheduler's tick.
 */
#ifndef CPU_TIMER_H
#define CPU_TIMER_H

#include "base/state.h"

/*
 * Of s->tid, any thread of ours.  0 or -errno; s->coarse says which clock it
 * became.  Behind the seal none is armed: a clock costs interrupts.
 */
int cpu_timer_arm(struct thread_slot *s);
void cpu_timer_stop(struct thread_slot *s);

/* Is nothing counted, so that a tick now and then is enough? */
bool cpu_timer_is_idle(void);

/*
 * That has changed: all timers get their other interval.  Each thread finds at
 * its next tick that its epoch is an old one, and begins anew:
 * cpu_timer_renew_interval().
 */
void cpu_timer_apply_interval(void);
void cpu_timer_renew_interval(struct thread_slot *s);

/*
 * Does the program run an interval timer of CPU time beside threads that may
 * sleep?  Asked now and then: one can be inherited over exec, or be set by a
 * raw call.
 */
void cpu_timer_poll_itimers(void);

/*
 * From a tick of s: the next one comes in a tick of the scheduler in which no
 * such timer expires, if there is one soon.  From one of those to the next the
 * process uses about `step` ns of CPU time.  Not long, where s is young.
 */
void cpu_timer_avoid_itimers(struct thread_slot *s, uint64_t step);

/* The first step from `least` on in which neither expires, or `most`. */
unsigned cpu_timer_find_quiet(const struct itimerval v[2], unsigned least,
    unsigned most, uint64_t step);

/*
 * The process timer, when no thread timer can be had.  0 or -errno: -EBUSY
 * while another thread is here; -ENOTSUP where its tick, which comes on any
 * thread, would kill one by its alternate stack.
 */
int cpu_timer_arm_process(void);
void cpu_timer_stop_process(void);

#endif
