/*
 * Context: S.  How often a thread is switched, and which rate of the fine clock
 * that allows.
 */
#ifndef PERF_RATE_H
#define PERF_RATE_H

#include "base/state.h"

/* A perf event costs its thread time at each switch, less at a lower rate. */
enum perf_rate {
	PERF_RATE_FULL,		/* the mean period that is asked for */
	PERF_RATE_QUARTER,		/* four times that */
	PERF_RATE_SIXTEENTH,
	PERF_RATE_NONE,		/* no fine clock */
};

/*
 * Counts the switches of the calling thread since its last coarse tick and
 * chooses s->pace.  ns: CPU time that this tick stands for.  Returns whether
 * the pace has changed.  Handler of a coarse tick, `busy` held; one system call
 * (0.3 us).
 */
bool perf_rate_update(struct thread_slot *s, uint64_t ns);

/* Forgets the switches that happened while nobody called perf_rate_update(). */
void perf_rate_reset(struct thread_slot *s);

/*
 * Returns whether the moments at which the coarse clock sees s depend on what
 * its thread does: if it sleeps and wakes, or if other threads preempt it.
 */
bool perf_rate_needs_event(const struct thread_slot *s);

#endif
