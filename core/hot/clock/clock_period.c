/*
 * Context: S.  Periods of the fine clock, for the other files of this room,
 * live_control.c and seccomp.c; see clock_period.h.
 */
#include "clock/clock_period.h"

/* ns; not a multiple of 1 ms, so as not to keep step with programs */
#define AUTO_PERIOD	1083700u
/* 2 s of a thread's CPU time at full rate */
#define AUTO_BUDGET	2000000000u

_Static_assert(CLOCK_PERIOD_LATER == 4 * AUTO_PERIOD, "a quarter of the rate");

static uint64_t
asked_interval(void)
{
	return atomic_load_explicit(&lineage.interval, memory_order_relaxed);
}

STATE_START uint64_t
clock_period_full(void)
{
	uint64_t asked = asked_interval();

	if (config.tier == CONFIG_TIER_TIMER ||
	    config.tier == CONFIG_TIER_PROCESS)
		return 0;
	return asked == 0 ? AUTO_PERIOD : asked;
}

/*
 * A timer interrupt of a virtual machine slows a compiler down by 70 us, most
 * of it after the handler: with the full rate cc1 took 1.1 times its CPU time
 * (doc/performance.md).  The many processes of a build have enough samples
 * together.
 */
uint64_t
clock_period_budget(void)
{
	if (asked_interval() != 0 || config.tier == CONFIG_TIER_PERF)
		return 0;
	return mon->forked || lineage.descends ? FORMAT_NO_BUDGET :
	    AUTO_BUDGET;
}

uint64_t
clock_period_reduced(void)
{
	return clock_period_budget() == 0 || clock_period_full() == 0 ? 0 :
	    CLOCK_PERIOD_LATER;
}
