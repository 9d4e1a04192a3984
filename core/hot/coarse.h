/*
 * Context: S.  The coarse clock: timers on CPU time, at the scheduler's tick.
 */
#ifndef COARSE_H
#define COARSE_H

#include "state.h"

/*
 * Of s->tid, any thread of ours.  0 or -errno; s->coarse says which clock it
 * became.  Behind the seal none is armed: a clock costs interrupts.
 */
int coarse_arm(struct slot *s);
void coarse_stop(struct slot *s);

/* Is nothing counted, so that a tick now and then is enough? */
bool coarse_is_idle(void);

/*
 * That has changed: all timers get their other interval.  Each thread finds at
 * its next tick that its epoch is an old one, and begins anew: coarse_renew().
 */
void coarse_pace(void);
void coarse_renew(struct slot *s);

/*
 * Does the program run an interval timer of CPU time beside threads that may
 * sleep?  Asked now and then: one can be inherited over exec, or be set by a
 * raw call.
 */
void coarse_look(void);

/*
 * From a tick of s: the next one comes in a tick of the scheduler in which no
 * such timer expires, if there is one soon.  From one of those to the next the
 * process uses about `step` ns of CPU time.  Not long, where s is young.
 */
void coarse_dodge(struct slot *s, uint64_t step);

/* The first step from `least` on in which neither expires, or `most`. */
unsigned coarse_quiet(const struct itimerval v[2], unsigned least,
    unsigned most, uint64_t step);

/*
 * The process timer, when no thread timer can be had.  0 or -errno: -EBUSY
 * while another thread is here; -ENOTSUP where its tick, which comes on any
 * thread, would kill one by its alternate stack.
 */
int coarse_arm_process(void);
void coarse_stop_process(void);

#endif
