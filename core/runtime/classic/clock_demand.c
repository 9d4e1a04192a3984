/*
 * Context: T.  Starts and stops the clocks of a library that is only linked, as
 * the hooks of profil(3) and of libc's profiler change the need; see
 * clock_demand.h.
 */
#include "classic/clock_demand.h"

#include "base/state.h"
#include "base/thread_clock.h"
#include "classic/gmon_request.h"
#include "count/histogram.h"

STATE_START bool
clock_demand_exists(void)
{
	return !config.linked || histogram_in_use() ||
	    gmon_request_has_begun();
}

void
clock_demand_apply(void)
{
	if (!config.linked || atomic_load(&mon->frozen))
		return;
	if (!clock_demand_exists())
		thread_clock_stop_all();
	/* Another thread may have asked for clocks in between. */
	if (clock_demand_exists())
		thread_clock_start_all();
}
