/* Context: S.  The fine clock: a perf event of user mode. */
#ifndef FINE_H
#define FINE_H

#include "state.h"

/*
 * Of the calling thread.  Does nothing where it is not asked, was refused, or
 * its budget is spent.
 */
void fine_arm(struct slot *s);

/*
 * What it has left is counted.  By its own thread, or by one that knows that it
 * is not in a tick.
 */
void fine_stop(struct slot *s, unsigned next);

/*
 * At the next look it is to begin again, at another rate, all of its time
 * ahead.
 */
void fine_anew(struct slot *s);

/*
 * Was a signal sent by a clock of this slot, by the number that its event had?
 * Also by one that is gone: a tick that gives it up, or turns to the next, may
 * have one waiting behind itself.
 */
bool fine_sent(const struct slot *s, int fd);

/* Of a dead thread.  What it has left is a loss. */
void fine_bury(struct slot *s);

/*
 * Another period, when it is time.  Behind its own fine tick, so that no part
 * of a period is lost.
 */
bool fine_turn_due(const struct slot *s);
void fine_turn(struct slot *s);

/* Has it been on for as long as it may at full rate? */
bool fine_is_spent(const struct slot *s);

/* Returns the mean of the periods that s gets next, ns. */
uint64_t fine_mean_period(const struct slot *s);

/* Count what its ring holds, the thread being at pc. */
void fine_drain(struct slot *s, uintptr_t pc);

/* Hold what it counted against s->cpu_ns. */
void fine_settle(struct slot *s);

#endif
