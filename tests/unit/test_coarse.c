/* Context: O.  Tests of core/hot/coarse.c: intervals, and too many timers. */
#include "coarse.h"
#include "target.h"

#include <criterion/criterion.h>
#include <signal.h>

TestSuite(coarse, .init = target_init, .fini = target_fini);

/* Signals that may be queued are the program's: a quarter at the most. */
static int
few_signals(void)
{
	struct slot *s = target_slot();
	struct rlimit r;
	int quarter;

	mon->pid = getpid();
	s->tid = gettid();
	signal(SIGPROF, SIG_IGN);
	if (getrlimit(RLIMIT_SIGPENDING, &r) != 0)
		return __LINE__;
	quarter = (int)(r.rlim_cur / 4);
	atomic_store(&mon->timers, quarter);
	if (coarse_arm(s) != -EAGAIN || s->coarse_errno != EAGAIN)
		return __LINE__;
	if (s->coarse != FORMAT_COARSE_NONE)
		return __LINE__;
	atomic_store(&mon->timers, quarter - 1);
	if (coarse_arm(s) != 0 || s->coarse != FORMAT_COARSE_CPU)
		return __LINE__;
	coarse_stop(s);
	coarse_stop(s);
	return atomic_load(&mon->timers) == quarter - 1 ? 0 : __LINE__;
}

Test(coarse, leaves_signals_to_the_program)
{
	int line = target_child(few_signals);

	cr_expect_eq(line, 0, "line %d", line);
}

/* One interval, the scheduler's tick; longer where no fine clock is to come. */
static int
intervals(void)
{
	struct slot *s = target_slot();

	mon->pid = getpid();
	s->tid = gettid();
	signal(SIGPROF, SIG_IGN);
	if (coarse_arm(s) != 0 || s->coarse_ns != config.tick_ns)
		return __LINE__;
	coarse_stop(s);
	config.hz = 10;
	if (coarse_arm(s) != 0 || s->coarse_ns != config.tick_ns)
		return __LINE__;
	coarse_stop(s);
	config.tier = CONFIG_TIER_TIMER;
	if (coarse_arm(s) != 0 || s->coarse_ns != 100000000)
		return __LINE__;
	coarse_stop(s);
	config.hz = 100000;
	if (coarse_arm(s) != 0 || s->coarse_ns != config.tick_ns)
		return __LINE__;
	coarse_stop(s);
	return 0;
}

Test(coarse, intervals)
{
	int line = target_child(intervals);

	cr_expect_eq(line, 0, "line %d", line);
}
