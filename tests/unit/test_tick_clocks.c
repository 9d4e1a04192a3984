/*
 * Context: O. Tests of core/hot/clock/tick.c: when a thread changes from one
 * clock to the other, and what its CPU time is charged to.
 */
#include "tick_target.h"
#include "base/mmap_area.h"
#include "clock/clock_switch.h"
#include "clock/perf_clock.h"
#include "clock/perf_rate.h"
#include "clock/tick.h"
#include "count/cct.h"
#include "count/record.h"
#include "store/store.h"
#include "target.h"
#include "base/store_header.h"
#include "clock/clock_period.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

TestSuite(tick_clocks, .init = tick_start, .fini = target_fini);

static void
nap(unsigned times)
{
	const struct timespec microsecond = {0, 1000};

	while (times-- > 0)
		nanosleep(&microsecond, NULL);
}

/* Runs without a sleep for so long that the thread is no sleeper any more. */
static void
awake(struct thread_slot *s)
{
	s->rate.sleeps = tick_voluntary();
	s->rate.slept_cpu = 0;
}

/*
 * Returns the coarse ticks, at most a hundred, until the fine clock is in that
 * state; the thread does not sleep.
 */
static unsigned
ticks_until(struct thread_slot *s, unsigned fine)
{
	unsigned n = 0;

	while (s->fine_clock.state != fine && n++ < 100) {
		awake(s);
		tick_coarse_tick(s, 0);
	}
	return n;
}

/* A thread that is switched all the time has no fine clock by default. */
Test(tick_clocks, switching)
{
	struct thread_slot *s = tick_coarse_slot();
	unsigned n;

	tick_turn_on_fine(s);
	s->fine_clock.base = 0;
	nap(300);
	tick_fine_tick();
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_SWITCHING);
	cr_expect_eq(s->rate.pace, PERF_RATE_NONE);
	cr_expect_eq(atomic_load(&s->fine_clock.ring.map), NULL);
	cr_expect_eq(tick_counted(NULL), PERIOD + PERIOD / 2,
	    "and half of the period that it was in");
	/* Back when it has been calm for a quarter second of CPU time. */
	s->fine_clock.base = 0;
	for (n = 0; s->fine_clock.base == 0 && n < 100; n++)
		tick_coarse_tick(s, 0);
	cr_expect_geq(n, 64);
	cr_expect_lt(n, 80, "its mean is of eight");
}

/*
 * A thread that is switched less has a slower fine clock: it costs 2 % at each
 * pace.
 */
Test(tick_clocks, switched_now_and_then)
{
	static const struct { unsigned naps, pace; } tries[] = {
		{ 20, PERF_RATE_FULL }, { 100, PERF_RATE_QUARTER },
		{ 200, PERF_RATE_SIXTEENTH }, { 400, PERF_RATE_NONE },
	};
	struct thread_slot *s = tick_coarse_slot();
	uint64_t mean = clock_period_full();

	for (unsigned i = 0; i < 4; i++) {
		s->rate.mean_switches = 0;
		s->rate.pace = PERF_RATE_FULL;
		perf_rate_reset(s);
		nap(tries[i].naps);
		perf_rate_update(s, s->coarse_clock.interval);
		cr_expect_eq(s->rate.pace, tries[i].pace, "%u naps: %u",
		    tries[i].naps, s->rate.pace);
		if (s->rate.pace != PERF_RATE_NONE)
			cr_expect_eq(perf_clock_mean_period(s), mean);
		mean *= 4;
	}
	/* The rate is higher again after it has been allowed for a while. */
	s->rate.pace = PERF_RATE_SIXTEENTH;
	s->rate.mean_switches = 0;
	for (unsigned i = 0; i < 63; i++)
		cr_expect_not(perf_rate_update(s, s->coarse_clock.interval));
	cr_expect(perf_rate_update(s, s->coarse_clock.interval));
	cr_expect_eq(s->rate.pace, PERF_RATE_FULL);
}

/* Time counted ahead is not beyond the thread's CPU time, but short of it. */
Test(tick_clocks, switching_while_ahead)
{
	struct thread_slot *s = tick_coarse_slot();

	tick_turn_on_fine(s);
	s->fine_clock.base += 3600000000000;
	nap(300);
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_SWITCHING);
	cr_expect_eq(tick_counted(NULL), 0);
}

/* A rate that was asked for is worth more, tier=perf everything. */
Test(tick_clocks, switching_with_a_rate_that_was_asked_for)
{
	struct thread_slot *s = tick_coarse_slot();

	lineage.interval = 1000000000u / 1000;
	tick_turn_on_fine(s);
	nap(300);
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON);
	cr_expect_eq(s->rate.pace, PERF_RATE_FULL);
	config.tier = CONFIG_TIER_PERF;
	nap(1500);
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON);
	config.tier = CONFIG_TIER_AUTO;
	nap(1500);
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_SWITCHING);
}

/*
 * Its budget is spent, perf_clock_is_spent(): on while the thread is switched.
 */
Test(tick_clocks, spent)
{
	struct thread_slot *s = tick_coarse_slot();

	tick_turn_on_fine(s);
	s->fine_clock.ns = 1900 * MS;
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON);
	s->fine_clock.ns = 2000 * MS;
	s->rate.mean_switches = 256;
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON,
	    "it shares its processor");
	cr_expect_geq(ticks_until(s, FORMAT_FINE_DONE), 1);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_DONE);
	/* It goes on at four times the mean at which it went off. */
	s->fine_clock.base = 0;
	s->rate.mean_switches = 63;
	awake(s);
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.base, 0);
	s->rate.mean_switches = 80;
	tick_coarse_tick(s, 0);
	cr_expect_neq(s->fine_clock.base, 0);
}

/*
 * The budget also lasts while the thread sleeps now and then: it wakes when it
 * likes.
 */
Test(tick_clocks, spent_by_a_sleeper)
{
	struct thread_slot *s = tick_coarse_slot();

	tick_turn_on_fine(s);
	s->fine_clock.ns = 2000 * MS;
	s->rate.sleeps = tick_voluntary() - 1;
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON);
	ticks_until(s, FORMAT_FINE_DONE);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_DONE);
}

/* Once it is known that there will be none, its switches are not asked for. */
Test(tick_clocks, settled)
{
	static const unsigned settled[] = {
		FORMAT_FINE_REFUSED, FORMAT_FINE_SECCOMP
	};
	struct thread_slot *s = tick_coarse_slot();

	tick_coarse_tick(s, 0);
	for (unsigned i = 0; i < 2; i++) {
		s->fine_clock.state = settled[i];
		s->rate.switches = 0;
		nap(1);
		tick_coarse_tick(s, 0);
		cr_expect_eq(s->fine_clock.state, settled[i]);
		cr_expect_eq(s->rate.switches, 0);
	}
	cr_expect_eq(tick_counted(NULL), 3 * 4 * MS);
	s->fine_clock.state = FORMAT_FINE_SWITCHING;
	tick_coarse_tick(s, 0);
	cr_expect_neq(s->rate.switches, 0);
	config.tier = CONFIG_TIER_TIMER;
	s->rate.switches = 0;
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->rate.switches, 0);
}
