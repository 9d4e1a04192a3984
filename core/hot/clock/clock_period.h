/*
 * Context: S.  Periods of the fine clock that the options, and later orders,
 * ask for.
 */
#ifndef CLOCK_PERIOD_H
#define CLOCK_PERIOD_H

#include "base/state.h"

/* ns; about the interval of the coarse clock */
#define CLOCK_PERIOD_LATER	4334800u

/*
 * Returns the mean period of the fine clock in ns, or 0 if no thread is to have
 * a fine clock.
 */
uint64_t clock_period_full(void);

/*
 * Returns the CPU time, in ns, that a thread may spend on the fine clock at
 * full rate; 0 means without limit.
 */
uint64_t clock_period_budget(void);

/*
 * Returns the mean period, in ns, of a thread that has spent that budget and is
 * still switched often, or 0 if there is no such period.
 */
uint64_t clock_period_reduced(void);

#endif
