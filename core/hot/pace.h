/*
 * Context: S.  How often a thread is switched, and which rate of the fine clock
 * that allows.
 */
#ifndef PACE_H
#define PACE_H

#include "state.h"

/* A perf event costs its thread time at each switch, less at a lower rate. */
enum pace {
	PACE_FULL,		/* the mean period that is asked for */
	PACE_QUARTER,		/* four times that */
	PACE_SIXTEENTH,
	PACE_NONE,		/* no fine clock */
};

/*
 * Counts the switches of the calling thread since its last coarse tick and
 * chooses s->pace.  ns: CPU time that this tick stands for.  Returns whether
 * the pace has changed.  Handler of a coarse tick, `busy` held; one system call
 * (0.3 us).
 */
bool pace_look(struct slot *s, uint64_t ns);

/* Forgets the switches that happened while nobody called pace_look(). */
void pace_begin(struct slot *s);

/*
 * Returns whether the moments at which the coarse clock sees s depend on what
 * its thread does: if it sleeps and wakes, or if other threads preempt it.
 */
bool pace_needs_fine(const struct slot *s);

#endif
