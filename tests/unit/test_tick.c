/*
 * Context: O.  Tests of core/hot/clock/tick.c: what a tick weighs, and whose it
 * is.
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

TestSuite(tick, .init = tick_start, .fini = target_fini);

Test(tick, overruns_are_time)
{
	struct thread_slot *s = tick_coarse_slot();
	uint64_t n;

	tick_coarse_tick(s, 0);
	cr_expect_eq(tick_counted(&n), 4 * MS);
	cr_expect_eq(n, 1);
	tick_coarse_tick(s, 2);
	cr_expect_eq(tick_counted(&n), 16 * MS);
	cr_expect_eq(n, 2);
}

Test(first_tick, makes_the_file, .init = target_init, .fini = target_fini)
{
	mon->fine_refused = UINT_MAX;
	tick_coarse_tick(tick_coarse_slot(), 0);
	cr_assert_not_null(store_header());
	cr_expect_eq(store_header()->ticks, 1);
	cr_expect_eq(tick_counted(NULL), 4 * MS);
}

Test(tick, stragglers_count_nothing)
{
	struct thread_slot *s = tick_coarse_slot();

	atomic_store(&s->coarse_clock.timer, TIMER + 2);
	tick_coarse_tick(s, 0);
	s->fine_clock.fd = 5 + 1;	/* as it was when the ring went */
	tick_fine_tick();
	cr_expect_eq(tick_counted(NULL), 0);
	atomic_store(&s->coarse_clock.timer, TIMER + 1);
	atomic_store(&mon->running, false);
	tick_coarse_tick(s, 0);
	cr_expect_eq(tick_counted(NULL), 0);
}

/* Behind seccomp a call kills, though the interval changed before that. */
Test(tick, makes_no_call_to_begin_anew_when_frozen)
{
	struct thread_slot *s = tick_coarse_slot();

	tick_coarse_tick(s, 0);
	atomic_fetch_add(&mon->epoch, 1);
	atomic_store(&mon->frozen, true);
	s->rate.switches = UINT64_MAX;
	s->cpu.ns = 1;
	tick_coarse_tick(s, 2);
	cr_expect_eq(s->rate.switches, UINT64_MAX);
	cr_expect_eq(s->cpu.ns, 1);
	cr_expect_eq(s->coarse_clock.epoch, 1);
	cr_expect_eq(tick_counted(NULL), 8 * MS);
	atomic_store(&mon->frozen, false);
}

/* It was sent while a tick gave its clock up: its signal waits behind that. */
Test(tick, knows_a_straggler_of_the_clock_before)
{
	struct thread_slot *s = tick_coarse_slot();

	tick_coarse_tick(s, 0);
	tick_turn_on_fine(s);
	atomic_fetch_add(&mon->epoch, 1);
	tick_coarse_tick(s, 0);
	cr_assert_neq(s->fine_clock.state, FORMAT_FINE_ON);
	tick_fine_tick();		/* or it is foreign, and deadly */
	s->fine_clock.last_fd = s->fine_clock.fd;
	s->fine_clock.fd = 9 + 1;	/* the next has another number */
	tick_fine_tick();
	cr_expect_eq(tick_counted(NULL), 8 * MS);
}

/* One that comes while another is counted is lost, and said so. */
Test(tick, nested)
{
	struct thread_slot *s = tick_coarse_slot();

	atomic_store(&s->busy, 1);
	tick_coarse_tick(s, 0);
	cr_expect_eq(tick_counted(NULL), 0);
	cr_expect_eq(target_loss(LOSS_NESTED), 1);
	atomic_store(&s->busy, 0);
	tick_coarse_tick(s, 0);
	cr_expect_eq(tick_counted(NULL), 4 * MS);
}

/* The first interval counts whole: the fine clock passes over what is ahead. */
Test(tick, fine_passes_over_what_is_counted)
{
	struct thread_slot *s = tick_coarse_slot();
	uint64_t ahead;

	tick_coarse_tick(s, 0);
	cr_expect_eq(s->handover.ahead, 0, "one tick does not make it busy");
	tick_coarse_tick(s, 0);
	ahead = s->handover.ahead;
	cr_expect_gt(ahead, 0);
	cr_expect_leq(ahead, 4 * MS);
	cr_expect_eq(s->fine_clock.base, s->cpu.ns + ahead);
	tick_turn_on_fine(s);
	s->handover.ahead = 2 * PERIOD + PERIOD / 4;
	s->fine_clock.base += s->handover.ahead;
	tick_fine_tick();
	tick_fine_tick();
	cr_expect_eq(tick_counted(NULL), 8 * MS);
	tick_fine_tick();
	cr_expect_eq(tick_counted(NULL), 8 * MS + PERIOD * 3 / 4);
	cr_expect_eq(s->fine_clock.ns, PERIOD * 3 / 4);
	cr_expect_eq(s->handover.ahead, 0);
}

/* One that was late for its first tick has been busy for long enough. */
Test(tick, busy_at_its_first_tick)
{
	struct thread_slot *s = tick_coarse_slot();

	s->cpu.start -= 10 * MS;
	tick_coarse_tick(s, 0);
	cr_expect_gt(s->fine_clock.base, 0);
	cr_expect_eq(s->handover.ahead, 0, "it is behind, not ahead");
}

/* After a stop: where in its interval the first tick is, nobody knows. */
Test(tick, half_an_interval_ahead_when_it_begins_anew)
{
	struct thread_slot *s = tick_coarse_slot();

	while (sys_clock(CLOCK_THREAD_CPUTIME_ID) < 4 * MS)
		continue;
	tick_coarse_tick(s, 0);
	atomic_fetch_add(&mon->epoch, 1);
	tick_coarse_tick(s, 0);
	cr_expect_eq(tick_counted(NULL), 8 * MS);
	cr_expect_leq(s->handover.ahead + s->handover.credit, 2 * MS);
	cr_expect_gt(s->handover.ahead + s->handover.credit, 1 * MS);
}

/* Fine ticks beyond the CPU time are a debt; a tick repays half at most. */
Test(tick, debt)
{
	struct thread_slot *s = tick_coarse_slot();

	tick_turn_on_fine(s);
	/* no CPU time has passed at all */
	s->fine_clock.base += 3600000000000;
	for (unsigned i = 0; i < 8; i++)
		tick_fine_tick();
	cr_expect_eq(tick_counted(NULL), 8 * PERIOD);
	cr_expect_eq(s->fine_clock.debt, 8 * PERIOD);
	tick_fine_tick();
	cr_expect_eq(tick_counted(NULL), 8 * PERIOD + PERIOD / 2);
	cr_expect_eq(s->fine_clock.debt, 8 * PERIOD - PERIOD / 2);
}

/* User time is the fine clock's business while it is on. */
Test(tick, coarse_beside_fine)
{
	struct thread_slot *s = tick_coarse_slot();

	tick_turn_on_fine(s);
	tick_coarse_tick(s, 0);
	tick_coarse_tick(s, 2);
	cr_expect_eq(tick_counted(NULL), 0);
}

/* Long overruns that the fine clock knows of: others had the processor. */
Test(tick, late_but_counted)
{
	struct thread_slot *s = tick_coarse_slot();

	tick_turn_on_fine(s);
	s->last_coarse.cpu -= 40 * MS;
	s->fine_clock.ns = 38 * MS;
	tick_coarse_tick(s, 9);
	cr_expect_eq(tick_counted(NULL), 0);
}

/*
 * A pause of the machine is charged to the running thread: later samples carry
 * it.
 */
Test(tick, paused_machine)
{
	struct thread_slot *s = tick_coarse_slot();
	uint64_t base, ns;

	tick_turn_on_fine(s);
	s->rate.sleeps = tick_voluntary();
	base = s->fine_clock.base;
	s->last_coarse.cpu -= 40 * MS;
	s->fine_clock.ns = 2 * MS;
	tick_coarse_tick(s, 9);
	cr_expect_eq(tick_counted(NULL), 0, "it is at no place");
	ns = s->pending.backlog;
	cr_expect_geq(ns, 38 * MS);
	cr_expect_lt(ns, 1000 * MS, "%ju", (uintmax_t)ns);
	cr_expect_eq(s->fine_clock.base, base + ns,
	    "and no allowance for more");
	tick_coarse_tick(s, 0);
	cr_expect_eq(s->pending.backlog, ns);
	s->fine_clock.debt = 0;
	s->fine_clock.base = 0;
	tick_fine_tick();
	cr_expect_eq(tick_counted(NULL), 2 * PERIOD,
	    "as much again as a sample");
	cr_expect_eq(s->pending.backlog, ns - PERIOD);
}

/*
 * A thread that slept was not paused: its late tick says nothing about a pause.
 */
Test(tick, late_as_it_slept)
{
	struct thread_slot *s = tick_coarse_slot();

	tick_turn_on_fine(s);
	s->rate.sleeps = tick_voluntary() - 1;
	s->last_coarse.cpu -= 40 * MS;
	s->fine_clock.ns = 2 * MS;
	tick_coarse_tick(s, 9);
	cr_expect_eq(s->pending.backlog, 0);
	cr_expect_eq(tick_counted(NULL), 0);
}

/* No tick came for 24 ms: no place had that time, and a fine clock can tell. */
Test(tick, late_tick_leaves_its_time_to_the_fine_clock)
{
	struct thread_slot *s = tick_coarse_slot();

	mon->fine_refused = 0;
	s->cpu.start -= 24 * MS;
	tick_coarse_tick(s, 5);
	if (s->fine_clock.state != FORMAT_FINE_ON)
		cr_skip_test("no perf event here");
	if (s->rate.slept)
		cr_skip_test("the thread slept on the way");
	cr_expect_eq(tick_counted(NULL), 4 * MS);
	cr_expect_eq(s->pending.backlog, 20 * MS);
	record_flush_pending(s);
	cr_expect_eq(tick_counted(NULL), 24 * MS, "nothing of it is lost");
	perf_clock_stop(s, FORMAT_FINE_NEVER);
}

/* Without a fine clock the time counts where the tick hit. */
Test(tick, late_tick_without_a_fine_clock)
{
	struct thread_slot *s = tick_coarse_slot();

	s->cpu.start -= 24 * MS;
	tick_coarse_tick(s, 5);
	if (s->rate.slept)
		cr_skip_test("the thread slept on the way");
	cr_expect_eq(tick_counted(NULL), 24 * MS);
	cr_expect_eq(s->pending.backlog, 0);
}

/* The thread sleeps at each of the scheduler's ticks, and is about to again. */
Test(tick, missed_by_the_coarse_clock)
{
	struct thread_slot *s = tick_coarse_slot();

	s->fine_clock.state = FORMAT_FINE_NEVER;
	cr_expect_not(clock_switch_is_missed(s));
	s->cpu.start -= 4 * MS;
	cr_expect(clock_switch_is_missed(s));
	mon->fine_refused = 0;
	clock_switch_start(s);
	if (s->fine_clock.state != FORMAT_FINE_ON)
		cr_skip_test("no perf event here");
	cr_expect_geq(s->pending.backlog, 4 * MS);
	cr_expect_lt(s->pending.backlog, 8 * MS);
	cr_expect_not(clock_switch_may_start(s));
	perf_clock_stop(s, FORMAT_FINE_NEVER);
}

/* The fine clock is refused: the next coarse tick stands for all of it. */
Test(tick, missed_and_refused)
{
	struct thread_slot *s = tick_coarse_slot();

	s->cpu.start -= 8 * MS;
	clock_switch_start(s);
	cr_expect_neq(s->fine_clock.state, FORMAT_FINE_ON);
	cr_expect_eq(s->pending.backlog, 0);
	tick_coarse_tick(s, 1);
	cr_expect_eq(tick_counted(NULL), 8 * MS);
}
