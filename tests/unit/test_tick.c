/*
 * Context: O.  Tests of core/hot/clock/tick.c: what a tick weighs, and whose it
 * is.
 */
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

#define MS	1000000u
#define TIMER	7
#define PERIOD	MS

/* Never called: an address in this program that is behind no system call. */
static int
place(int n)
{
	return n * 3;
}

static void
start(void)
{
	target_init();
	mon->fine_refused = UINT_MAX;	/* no event is opened here */
	target_birth();
}

TestSuite(tick, .init = start, .fini = target_fini);

static uint64_t
voluntary(void)
{
	struct rusage r;

	cr_assert_eq(getrusage(RUSAGE_THREAD, &r), 0);
	return (uint64_t)r.ru_nvcsw;
}

static struct thread_slot *
coarse_slot(void)
{
	struct thread_slot *s = target_slot();
	struct rusage r;

	cr_assert_eq(getrusage(RUSAGE_THREAD, &r), 0);
	s->rate.switches = (uint64_t)(r.ru_nvcsw + r.ru_nivcsw);
	s->coarse_clock.kind = FORMAT_COARSE_CPU;
	s->coarse_clock.interval = s->coarse_clock.due = 4 * MS;
	atomic_store(&s->coarse_clock.timer, TIMER + 1);
	s->cpu.start = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	return s;
}

/* A page without data, as where locked memory is refused: one period a look. */
static void
turn_on_fine(struct thread_slot *s)
{
	s->fine_clock.first_period = false;
	s->fine_clock.state = FORMAT_FINE_ON;
	s->fine_clock.fd = 5 + 1;
	s->fine_clock.period = PERIOD;
	s->fine_clock.ring.bytes = config.page;
	atomic_store(&s->fine_clock.ring.map, mmap_area_alloc(config.page));
	s->cpu.ns = s->last_coarse.cpu = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	s->fine_clock.base = s->cpu.ns;
}

static void
send(siginfo_t *si)
{
	ucontext_t uc;

	memset(&uc, 0, sizeof uc);
#ifdef __x86_64__
	uc.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)place;
#else
	uc.uc_mcontext.pc = (uintptr_t)place;
#endif
	tick_handler(SIGPROF, si, &uc);
}

static void
coarse_tick(struct thread_slot *s, int overrun)
{
	siginfo_t si = {.si_code = SI_TIMER};

	si.si_timerid = TIMER;
	si.si_overrun = overrun;
	si.si_value.sival_ptr = s;
	send(&si);
}

static void
fine_tick(void)
{
	siginfo_t si = {.si_code = POLL_IN};

	si.si_fd = 5;
	send(&si);
}

/* All that the file holds; the place is the only one that was hit. */
static uint64_t
counted(uint64_t *n)
{
	struct target_file t;
	uint64_t ns;

	target_read(&t, mon->store.path);
	ns = t.ns;
	if (n != NULL)
		*n = t.count;
	target_read_fini(&t);
	return ns;
}

Test(tick, overruns_are_time)
{
	struct thread_slot *s = coarse_slot();
	uint64_t n;

	coarse_tick(s, 0);
	cr_expect_eq(counted(&n), 4 * MS);
	cr_expect_eq(n, 1);
	coarse_tick(s, 2);
	cr_expect_eq(counted(&n), 16 * MS);
	cr_expect_eq(n, 2);
}

Test(first_tick, makes_the_file, .init = target_init, .fini = target_fini)
{
	mon->fine_refused = UINT_MAX;
	coarse_tick(coarse_slot(), 0);
	cr_assert_not_null(store_header());
	cr_expect_eq(store_header()->ticks, 1);
	cr_expect_eq(counted(NULL), 4 * MS);
}

Test(tick, stragglers_count_nothing)
{
	struct thread_slot *s = coarse_slot();

	atomic_store(&s->coarse_clock.timer, TIMER + 2);
	coarse_tick(s, 0);
	s->fine_clock.fd = 5 + 1;	/* as it was when the ring went */
	fine_tick();
	cr_expect_eq(counted(NULL), 0);
	atomic_store(&s->coarse_clock.timer, TIMER + 1);
	atomic_store(&mon->running, false);
	coarse_tick(s, 0);
	cr_expect_eq(counted(NULL), 0);
}

/* Behind seccomp a call kills, though the interval changed before that. */
Test(tick, makes_no_call_to_begin_anew_when_frozen)
{
	struct thread_slot *s = coarse_slot();

	coarse_tick(s, 0);
	atomic_fetch_add(&mon->epoch, 1);
	atomic_store(&mon->frozen, true);
	s->rate.switches = UINT64_MAX;
	s->cpu.ns = 1;
	coarse_tick(s, 2);
	cr_expect_eq(s->rate.switches, UINT64_MAX);
	cr_expect_eq(s->cpu.ns, 1);
	cr_expect_eq(s->coarse_clock.epoch, 1);
	cr_expect_eq(counted(NULL), 8 * MS);
	atomic_store(&mon->frozen, false);
}

/* It was sent while a tick gave its clock up: its signal waits behind that. */
Test(tick, knows_a_straggler_of_the_clock_before)
{
	struct thread_slot *s = coarse_slot();

	coarse_tick(s, 0);
	turn_on_fine(s);
	atomic_fetch_add(&mon->epoch, 1);
	coarse_tick(s, 0);
	cr_assert_neq(s->fine_clock.state, FORMAT_FINE_ON);
	fine_tick();		/* or it is foreign, and deadly */
	s->fine_clock.last_fd = s->fine_clock.fd;
	s->fine_clock.fd = 9 + 1;	/* the next has another number */
	fine_tick();
	cr_expect_eq(counted(NULL), 8 * MS);
}

/* One that comes while another is counted is lost, and said so. */
Test(tick, nested)
{
	struct thread_slot *s = coarse_slot();

	atomic_store(&s->busy, 1);
	coarse_tick(s, 0);
	cr_expect_eq(counted(NULL), 0);
	cr_expect_eq(target_loss(LOSS_NESTED), 1);
	atomic_store(&s->busy, 0);
	coarse_tick(s, 0);
	cr_expect_eq(counted(NULL), 4 * MS);
}

/* The first interval counts whole: the fine clock passes over what is ahead. */
Test(tick, fine_passes_over_what_is_counted)
{
	struct thread_slot *s = coarse_slot();
	uint64_t ahead;

	coarse_tick(s, 0);
	cr_expect_eq(s->handover.ahead, 0, "one tick does not make it busy");
	coarse_tick(s, 0);
	ahead = s->handover.ahead;
	cr_expect_gt(ahead, 0);
	cr_expect_leq(ahead, 4 * MS);
	cr_expect_eq(s->fine_clock.base, s->cpu.ns + ahead);
	turn_on_fine(s);
	s->handover.ahead = 2 * PERIOD + PERIOD / 4;
	s->fine_clock.base += s->handover.ahead;
	fine_tick();
	fine_tick();
	cr_expect_eq(counted(NULL), 8 * MS);
	fine_tick();
	cr_expect_eq(counted(NULL), 8 * MS + PERIOD * 3 / 4);
	cr_expect_eq(s->fine_clock.ns, PERIOD * 3 / 4);
	cr_expect_eq(s->handover.ahead, 0);
}

/* One that was late for its first tick has been busy for long enough. */
Test(tick, busy_at_its_first_tick)
{
	struct thread_slot *s = coarse_slot();

	s->cpu.start -= 10 * MS;
	coarse_tick(s, 0);
	cr_expect_gt(s->fine_clock.base, 0);
	cr_expect_eq(s->handover.ahead, 0, "it is behind, not ahead");
}

/* After a stop: where in its interval the first tick is, nobody knows. */
Test(tick, half_an_interval_ahead_when_it_begins_anew)
{
	struct thread_slot *s = coarse_slot();

	while (sys_clock(CLOCK_THREAD_CPUTIME_ID) < 4 * MS)
		continue;
	coarse_tick(s, 0);
	atomic_fetch_add(&mon->epoch, 1);
	coarse_tick(s, 0);
	cr_expect_eq(counted(NULL), 8 * MS);
	cr_expect_leq(s->handover.ahead + s->handover.credit, 2 * MS);
	cr_expect_gt(s->handover.ahead + s->handover.credit, 1 * MS);
}

/* Fine ticks beyond the CPU time are a debt; a tick repays half at most. */
Test(tick, debt)
{
	struct thread_slot *s = coarse_slot();

	turn_on_fine(s);
	/* no CPU time has passed at all */
	s->fine_clock.base += 3600000000000;
	for (unsigned i = 0; i < 8; i++)
		fine_tick();
	cr_expect_eq(counted(NULL), 8 * PERIOD);
	cr_expect_eq(s->fine_clock.debt, 8 * PERIOD);
	fine_tick();
	cr_expect_eq(counted(NULL), 8 * PERIOD + PERIOD / 2);
	cr_expect_eq(s->fine_clock.debt, 8 * PERIOD - PERIOD / 2);
}

/* User time is the fine clock's business while it is on. */
Test(tick, coarse_beside_fine)
{
	struct thread_slot *s = coarse_slot();

	turn_on_fine(s);
	coarse_tick(s, 0);
	coarse_tick(s, 2);
	cr_expect_eq(counted(NULL), 0);
}

/* Long overruns that the fine clock knows of: others had the processor. */
Test(tick, late_but_counted)
{
	struct thread_slot *s = coarse_slot();

	turn_on_fine(s);
	s->last_coarse.cpu -= 40 * MS;
	s->fine_clock.ns = 38 * MS;
	coarse_tick(s, 9);
	cr_expect_eq(counted(NULL), 0);
}

/*
 * A pause of the machine is charged to the running thread: later samples carry
 * it.
 */
Test(tick, paused_machine)
{
	struct thread_slot *s = coarse_slot();
	uint64_t base, ns;

	turn_on_fine(s);
	s->rate.sleeps = voluntary();
	base = s->fine_clock.base;
	s->last_coarse.cpu -= 40 * MS;
	s->fine_clock.ns = 2 * MS;
	coarse_tick(s, 9);
	cr_expect_eq(counted(NULL), 0, "it is at no place");
	ns = s->pending.backlog;
	cr_expect_geq(ns, 38 * MS);
	cr_expect_lt(ns, 1000 * MS, "%ju", (uintmax_t)ns);
	cr_expect_eq(s->fine_clock.base, base + ns,
	    "and no allowance for more");
	coarse_tick(s, 0);
	cr_expect_eq(s->pending.backlog, ns);
	s->fine_clock.debt = 0;
	s->fine_clock.base = 0;
	fine_tick();
	cr_expect_eq(counted(NULL), 2 * PERIOD, "as much again as a sample");
	cr_expect_eq(s->pending.backlog, ns - PERIOD);
}

/*
 * A thread that slept was not paused: its late tick says nothing about a pause.
 */
Test(tick, late_as_it_slept)
{
	struct thread_slot *s = coarse_slot();

	turn_on_fine(s);
	s->rate.sleeps = voluntary() - 1;
	s->last_coarse.cpu -= 40 * MS;
	s->fine_clock.ns = 2 * MS;
	coarse_tick(s, 9);
	cr_expect_eq(s->pending.backlog, 0);
	cr_expect_eq(counted(NULL), 0);
}

/* No tick came for 24 ms: no place had that time, and a fine clock can tell. */
Test(tick, late_tick_leaves_its_time_to_the_fine_clock)
{
	struct thread_slot *s = coarse_slot();

	mon->fine_refused = 0;
	s->cpu.start -= 24 * MS;
	coarse_tick(s, 5);
	if (s->fine_clock.state != FORMAT_FINE_ON)
		cr_skip_test("no perf event here");
	cr_expect_eq(counted(NULL), 4 * MS);
	cr_expect_eq(s->pending.backlog, 20 * MS);
	record_flush_pending(s);
	cr_expect_eq(counted(NULL), 24 * MS, "nothing of it is lost");
	perf_clock_stop(s, FORMAT_FINE_NEVER);
}

/* Without a fine clock the time counts where the tick hit. */
Test(tick, late_tick_without_a_fine_clock)
{
	struct thread_slot *s = coarse_slot();

	s->cpu.start -= 24 * MS;
	coarse_tick(s, 5);
	cr_expect_eq(counted(NULL), 24 * MS);
	cr_expect_eq(s->pending.backlog, 0);
}

/* The thread sleeps at each of the scheduler's ticks, and is about to again. */
Test(tick, missed_by_the_coarse_clock)
{
	struct thread_slot *s = coarse_slot();

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
	struct thread_slot *s = coarse_slot();

	s->cpu.start -= 8 * MS;
	clock_switch_start(s);
	cr_expect_neq(s->fine_clock.state, FORMAT_FINE_ON);
	cr_expect_eq(s->pending.backlog, 0);
	coarse_tick(s, 1);
	cr_expect_eq(counted(NULL), 8 * MS);
}

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
	s->rate.sleeps = voluntary();
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
		coarse_tick(s, 0);
	}
	return n;
}

/* A thread that is switched all the time has no fine clock by default. */
Test(tick, switching)
{
	struct thread_slot *s = coarse_slot();
	unsigned n;

	turn_on_fine(s);
	s->fine_clock.base = 0;
	nap(300);
	fine_tick();
	coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_SWITCHING);
	cr_expect_eq(s->rate.pace, PERF_RATE_NONE);
	cr_expect_eq(atomic_load(&s->fine_clock.ring.map), NULL);
	cr_expect_eq(counted(NULL), PERIOD + PERIOD / 2,
	    "and half of the period that it was in");
	/* Back when it has been calm for a quarter second of CPU time. */
	s->fine_clock.base = 0;
	for (n = 0; s->fine_clock.base == 0 && n < 100; n++)
		coarse_tick(s, 0);
	cr_expect_geq(n, 64);
	cr_expect_lt(n, 80, "its mean is of eight");
}

/*
 * A thread that is switched less has a slower fine clock: it costs 2 % at each
 * pace.
 */
Test(tick, switched_now_and_then)
{
	static const struct { unsigned naps, pace; } tries[] = {
		{ 20, PERF_RATE_FULL }, { 100, PERF_RATE_QUARTER },
		{ 200, PERF_RATE_SIXTEENTH }, { 400, PERF_RATE_NONE },
	};
	struct thread_slot *s = coarse_slot();
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
Test(tick, switching_while_ahead)
{
	struct thread_slot *s = coarse_slot();

	turn_on_fine(s);
	s->fine_clock.base += 3600000000000;
	nap(300);
	coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_SWITCHING);
	cr_expect_eq(counted(NULL), 0);
}

/* A rate that was asked for is worth more, tier=perf everything. */
Test(tick, switching_with_a_rate_that_was_asked_for)
{
	struct thread_slot *s = coarse_slot();

	lineage.interval = 1000000000u / 1000;
	turn_on_fine(s);
	nap(300);
	coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON);
	cr_expect_eq(s->rate.pace, PERF_RATE_FULL);
	config.tier = CONFIG_TIER_PERF;
	nap(1500);
	coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON);
	config.tier = CONFIG_TIER_AUTO;
	nap(1500);
	coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_SWITCHING);
}

/*
 * Its budget is spent, perf_clock_is_spent(): on while the thread is switched.
 */
Test(tick, spent)
{
	struct thread_slot *s = coarse_slot();

	turn_on_fine(s);
	s->fine_clock.ns = 1900 * MS;
	coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON);
	s->fine_clock.ns = 2000 * MS;
	s->rate.mean_switches = 256;
	coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON,
	    "it shares its processor");
	cr_expect_geq(ticks_until(s, FORMAT_FINE_DONE), 1);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_DONE);
	/* It goes on at four times the mean at which it went off. */
	s->fine_clock.base = 0;
	s->rate.mean_switches = 63;
	awake(s);
	coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.base, 0);
	s->rate.mean_switches = 80;
	coarse_tick(s, 0);
	cr_expect_neq(s->fine_clock.base, 0);
}

/*
 * The budget also lasts while the thread sleeps now and then: it wakes when it
 * likes.
 */
Test(tick, spent_by_a_sleeper)
{
	struct thread_slot *s = coarse_slot();

	turn_on_fine(s);
	s->fine_clock.ns = 2000 * MS;
	s->rate.sleeps = voluntary() - 1;
	coarse_tick(s, 0);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_ON);
	ticks_until(s, FORMAT_FINE_DONE);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_DONE);
}

/* Once it is known that there will be none, its switches are not asked for. */
Test(tick, settled)
{
	static const unsigned settled[] = {
		FORMAT_FINE_REFUSED, FORMAT_FINE_SECCOMP
	};
	struct thread_slot *s = coarse_slot();

	coarse_tick(s, 0);
	for (unsigned i = 0; i < 2; i++) {
		s->fine_clock.state = settled[i];
		s->rate.switches = 0;
		nap(1);
		coarse_tick(s, 0);
		cr_expect_eq(s->fine_clock.state, settled[i]);
		cr_expect_eq(s->rate.switches, 0);
	}
	cr_expect_eq(counted(NULL), 3 * 4 * MS);
	s->fine_clock.state = FORMAT_FINE_SWITCHING;
	coarse_tick(s, 0);
	cr_expect_neq(s->rate.switches, 0);
	config.tier = CONFIG_TIER_TIMER;
	s->rate.switches = 0;
	coarse_tick(s, 0);
	cr_expect_eq(s->rate.switches, 0);
}
