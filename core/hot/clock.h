/* Context: S.  The two clocks of a thread. */
#ifndef CLOCK_H
#define CLOCK_H

#include "state.h"

/*
 * The coarse clock of s->tid, any thread of ours: a timer on its CPU time at
 * the scheduler's tick.  0 or -errno; s->coarse says which clock it became.
 */
int clock_arm_coarse(struct slot *s);
void clock_stop_coarse(struct slot *s);

/*
 * The fine clock of the calling thread: user mode only.  Does nothing where it
 * is not asked, was refused, or its budget is spent.
 */
void clock_arm_fine(struct slot *s);

/* By its own thread, or by one that knows that it is not in a tick. */
void clock_stop_fine(struct slot *s, unsigned next);

/*
 * Another period, when it is time.  Behind its own fine tick, so that no part
 * of a period is lost.
 */
bool clock_turn_due(const struct slot *s);
void clock_turn_fine(struct slot *s);

/* Has it been on for as long as it may? */
bool clock_is_spent(const struct slot *s);

/* Both, for good. */
void clock_stop(struct slot *s);

/* The process timer, when no thread timer can be had.  0 or -errno. */
int clock_arm_process(void);
void clock_stop_process(void);

#endif
