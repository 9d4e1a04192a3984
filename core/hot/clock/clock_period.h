/*
 * Context: S.  Periods of the fine clock that the options, and later orders,
 * ask for.  The fine clock follows them; live_control.c writes them into the
 * file, seccomp.c asks whether there are fine clocks.  Makes no system call;
 * any thread and any signal handler may call it.
 */
#ifndef CLOCK_PERIOD_H
#define CLOCK_PERIOD_H

#include "base/state.h"

/* ns; what clock_period_reduced() returns, a quarter of the automatic rate */
#define CLOCK_PERIOD_LATER	4334800u

/*
 * Returns the mean period of the fine clock in ns, or 0 if no thread is to have
 * a fine clock.
 */
uint64_t clock_period_full(void);

/*
 * Returns the CPU time, in ns, that a thread may spend on the fine clock at
 * full rate.  0 means without limit, FORMAT_NO_BUDGET none at all: a profiled
 * process started this one.
 */
uint64_t clock_period_budget(void);

/*
 * Returns the mean period, in ns, of a thread that has spent that budget and
 * still needs the fine clock (perf_rate_needs_event()), or 0 if no budget ends.
 */
uint64_t clock_period_reduced(void);

#endif
