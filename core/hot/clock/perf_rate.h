/*
 * Context: S.  Measures how often a thread is switched, and chooses the rate of
 * the fine clock that this allows.  Coarse ticks (tick_count.c, clock_switch.c)
 * call it in their thread, with `busy` held; in a frozen process only
 * perf_rate_needs_event() may be called.
 */
#ifndef PERF_RATE_H
#define PERF_RATE_H

#include "base/state.h"

/*
 * The rates of the fine clock.  A perf event costs its thread time at each
 * context switch, less at a lower rate.
 */
enum perf_rate {
	PERF_RATE_FULL,		/* the mean period that is asked for */
	PERF_RATE_QUARTER,		/* four times that */
	PERF_RATE_SIXTEENTH,
	PERF_RATE_NONE,		/* no fine clock */
};

/*
 * Counts the context switches of the calling thread since its last coarse tick
 * and chooses s->rate.pace, unless tier=perf keeps the full rate.  ns: CPU time
 * that this tick stands for.  Returns whether the pace has changed.  Makes one
 * system call.
 */
bool perf_rate_update(struct thread_slot *s, uint64_t ns);

/*
 * Forgets the context switches of the calling thread since the last call of
 * perf_rate_update(), which was not called for a while.
 */
void perf_rate_reset(struct thread_slot *s);

/*
 * Returns whether the times at which the coarse clock sees s depend on what its
 * thread does, so that only a perf event gives fair samples.  That is so if the
 * thread sleeps and wakes, or if other threads preempt it.
 */
bool perf_rate_needs_event(const struct thread_slot *s);

#endif
