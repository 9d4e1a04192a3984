/*
 * Context: O. Tests of core/hot/clock/cpu_timer.c: intervals, and too many
 * timers.
 */
#include "clock/cpu_timer.h"

#include "clock/itimer_avoid.h"
#include "target.h"

#include <criterion/criterion.h>
#include <signal.h>

TestSuite(cpu_timer, .init = target_init, .fini = target_fini);

/* Signals that may be queued are the program's: a quarter at the most. */
static int
few_signals(void)
{
	struct thread_slot *s = target_slot();
	struct rlimit r;
	int quarter;

	mon->pid = getpid();
	s->tid = gettid();
	signal(SIGPROF, SIG_IGN);
	if (getrlimit(RLIMIT_SIGPENDING, &r) != 0)
		return __LINE__;
	quarter = (int)(r.rlim_cur / 4);
	atomic_store(&mon->timers, quarter);
	if (cpu_timer_arm(s) != -EAGAIN || s->coarse_clock.error != EAGAIN)
		return __LINE__;
	if (s->coarse_clock.kind != FORMAT_COARSE_NONE)
		return __LINE__;
	atomic_store(&mon->timers, quarter - 1);
	if (cpu_timer_arm(s) != 0 || s->coarse_clock.kind != FORMAT_COARSE_CPU)
		return __LINE__;
	cpu_timer_stop(s);
	cpu_timer_stop(s);
	return atomic_load(&mon->timers) == quarter - 1 ? 0 : __LINE__;
}

Test(cpu_timer, leaves_signals_to_the_program)
{
	int line = target_child(few_signals);

	cr_expect_eq(line, 0, "line %d", line);
}

/* One interval, the scheduler's tick; longer where no fine clock is to come. */
static int
intervals(void)
{
	struct thread_slot *s = target_slot();

	mon->pid = getpid();
	s->tid = gettid();
	signal(SIGPROF, SIG_IGN);
	if (cpu_timer_arm(s) != 0 || s->coarse_clock.interval != config.tick_ns)
		return __LINE__;
	cpu_timer_stop(s);
	lineage.interval = 1000000000u / 10;
	if (cpu_timer_arm(s) != 0 || s->coarse_clock.interval != config.tick_ns)
		return __LINE__;
	cpu_timer_stop(s);
	config.tier = CONFIG_TIER_TIMER;
	if (cpu_timer_arm(s) != 0 || s->coarse_clock.interval != 100000000)
		return __LINE__;
	cpu_timer_stop(s);
	lineage.interval = 1000000000u / 100000;
	if (cpu_timer_arm(s) != 0 || s->coarse_clock.interval != config.tick_ns)
		return __LINE__;
	cpu_timer_stop(s);
	return 0;
}

/* A thread's first slow tick comes anywhere in an interval: half are early. */
static int
phases(void)
{
	struct thread_slot *s = target_slot();
	struct itimerspec left;
	unsigned early = 0, i;

	mon->pid = getpid();
	s->tid = gettid();
	signal(SIGPROF, SIG_IGN);
	config.tier = CONFIG_TIER_TIMER;
	lineage.interval = 1000000000u / 1;
	for (i = 0; i < 200; i++) {
		if (cpu_timer_arm(s) != 0 || SYS(timer_gettime,
		    atomic_load(&s->coarse_clock.timer) - 1, &left, 0, 0, 0,
		    0) != 0)
			return __LINE__;
		if (left.it_value.tv_sec > 1)
			return __LINE__;
		early += left.it_value.tv_sec == 0 &&
		    left.it_value.tv_nsec < 500000000;
		cpu_timer_stop(s);
	}
	return early > 60 && early < 140 ? 0 : __LINE__;
}

Test(cpu_timer, phases_of_a_slow_clock)
{
	int line = target_child(phases);

	cr_expect_eq(line, 0, "line %d", line);
}

Test(cpu_timer, intervals)
{
	int line = target_child(intervals);

	cr_expect_eq(line, 0, "line %d", line);
}

/* In steps of 4 ms: left and interval in ms, of two timers; 0 is off. */
static unsigned
quiet(long left, long every, long left2, long every2)
{
	struct itimerval v[2] = {
		{{0, every * 1000}, {0, left * 1000}},
		{{0, every2 * 1000}, {0, left2 * 1000}},
	};

	return itimer_avoid_find_quiet(v, 1, 8, 4000000);
}

Test(cpu_timer, quiet_ticks)
{
	cr_expect_eq(quiet(5, 0, 0, 0), 1);
	cr_expect_eq(quiet(0, 0, 8, 0), 1);
	cr_expect_eq(quiet(4, 0, 0, 0), 2, "in the tick at 4");
	cr_expect_eq(quiet(1, 0, 5, 0), 3);
	cr_expect_eq(quiet(2, 10, 0, 0), 2, "at 2, 12, 22");
	cr_expect_eq(quiet(4, 4, 0, 0), 8, "never");
	cr_expect_eq(quiet(1, 1, 0, 0), 8);
	cr_expect_eq(quiet(4, 12, 8, 12), 3, "at 4, 16 and 8, 20");
}

Test(cpu_timer, quiet_ticks_of_a_slow_clock)
{
	struct itimerval v[2] = {{{0, 0}, {0, 100000}}};

	cr_expect_eq(itimer_avoid_find_quiet(v, 24, 31, 4000000), 24);
	cr_expect_eq(itimer_avoid_find_quiet(v, 25, 32, 4000000), 26, "at 100");
	v[0].it_interval.tv_usec = 4000;
	cr_expect_eq(itimer_avoid_find_quiet(v, 25, 32, 4000000), 32,
	    "it gives in");
	cr_expect_eq(itimer_avoid_find_quiet(v, 1, 8, 40000000), 1);
	cr_expect_eq(itimer_avoid_find_quiet(v, 3, 10, 40000000), 10,
	    "ten in each");
}

/* The weight of the next tick follows; alone, nobody is disturbed. */
static int
dodges(void)
{
	struct itimerval v = {{0, 0}, {100, 0}};
	struct thread_slot *s = target_slot();
	uint64_t all = 101000000000u;

	mon->pid = getpid();
	s->tid = gettid();
	signal(SIGPROF, SIG_IGN);
	atomic_store(&mon->live, 1);
	if (setitimer(ITIMER_PROF, &v, NULL) != 0 || cpu_timer_arm(s) != 0)
		return __LINE__;
	itimer_avoid_poll();
	itimer_avoid_delay_tick(s, all);
	if (atomic_load(&mon->itimers) ||
	    s->coarse_clock.due != s->coarse_clock.interval)
		return __LINE__;
	atomic_store(&mon->live, 2);
	itimer_avoid_poll();
	itimer_avoid_delay_tick(s, 0);
	if (!atomic_load(&mon->itimers) ||
	    s->coarse_clock.due != s->coarse_clock.interval)
		return __LINE__;
	s->cpu.start = s->cpu.ns = 1000000000;
	itimer_avoid_delay_tick(s, all);
	if (s->coarse_clock.due != s->coarse_clock.interval)
		return __LINE__;	/* it may end at once */
	s->cpu.ns += 64 * s->coarse_clock.interval;
	itimer_avoid_delay_tick(s, all);
	if (s->coarse_clock.due != 2 * s->coarse_clock.interval)
		return __LINE__;
	v.it_value.tv_sec = 0;
	if (setitimer(ITIMER_PROF, &v, NULL) != 0)
		return __LINE__;
	itimer_avoid_poll();
	cpu_timer_stop(s);
	return atomic_load(&mon->itimers) ? __LINE__ : 0;
}

Test(cpu_timer, dodges_timers_of_the_program)
{
	int line = target_child(dodges);

	cr_expect_eq(line, 0, "line %d", line);
}
