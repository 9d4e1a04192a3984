/* Context: S.  The fine clock: a perf event of user mode. */
#ifndef PERF_CLOCK_H
#define PERF_CLOCK_H

#include "base/state.h"

/*
 * Of the calling thread.  Does nothing where it is not asked, was refused, or
 * its budget is spent.
 */
void perf_clock_arm(struct thread_slot *s);

/*
 * What it has left is counted.  By its own thread, or by one that knows that it
 * is not in a tick.
 */
void perf_clock_stop(struct thread_slot *s, unsigned next);

/*
 * At the next look it is to begin again, at another rate, all of its time
 * ahead.
 */
void perf_clock_reset(struct thread_slot *s);

/*
 * Was a signal sent by a clock of this slot, by the number that its event had?
 * Also by one that is gone: a tick that gives it up, or turns to the next, may
 * have one waiting behind itself.
 */
bool perf_clock_is_sender(const struct thread_slot *s, int fd);

/* Of a dead thread.  What it has left is a loss. */
void perf_clock_discard(struct thread_slot *s);

/*
 * Another period, when it is time.  Behind its own fine tick, so that no part
 * of a period is lost.
 */
bool perf_clock_is_period_due(const struct thread_slot *s);
void perf_clock_new_period(struct thread_slot *s);

/* Has it been on for as long as it may at full rate? */
bool perf_clock_is_spent(const struct thread_slot *s);

/* Returns the mean of the periods that s gets next, ns. */
uint64_t perf_clock_mean_period(const struct thread_slot *s);

/* Count what its ring holds, the thread being at pc. */
void perf_clock_drain(struct thread_slot *s, uintptr_t pc);

/* Hold what it counted against s->cpu_ns. */
void perf_clock_reconcile(struct thread_slot *s);

#endif
