/* Context: T.  Which coarse clock a thread gets. */
#include "clock.h"

#include "coarse.h"
#include "sigview.h"

void
clock_start(struct slot *s)
{
	if (config.tier != CONFIG_TIER_PROCESS && coarse_arm(s) == 0)
		return;
	/* Beside thread timers it would count their time twice. */
	if (mon->process_tier || (atomic_load(&mon->timers) == 0 &&
	    sigview_may_use_itimer() && coarse_arm_process() == 0)) {
		s->coarse = FORMAT_COARSE_PROCESS;
		return;
	}
	loss_count(LOSS_THREAD_CLOCK, 1);
}
