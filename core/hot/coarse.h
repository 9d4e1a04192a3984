/* Context: S.  The coarse clock: timers on CPU time, at the scheduler's tick. */
#ifndef COARSE_H
#define COARSE_H

#include "state.h"

/*
 * Of s->tid, any thread of ours.  0 or -errno; s->coarse says which clock it
 * became.
 */
int coarse_arm(struct slot *s);
void coarse_stop(struct slot *s);

/* The process timer, when no thread timer can be had.  0 or -errno. */
int coarse_arm_process(void);
void coarse_stop_process(void);

#endif
