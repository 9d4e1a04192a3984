/* Context: O. Tests of core/hot/clock/perf_clock.c: periods and refusals. */
#include "base/mmap_area.h"
#include "clock/clock_period.h"
#include "clock/perf_clock.h"
#include "clock/perf_ring.h"
#include "count/cct.h"
#include "count/record.h"
#include "store/store.h"
#include "target.h"

#include <criterion/criterion.h>
#include <linux/perf_event.h>
#include <math.h>

TestSuite(perf_clock, .init = target_init, .fini = target_fini);

/* Refused, but a period was drawn before it was asked for. */
static uint64_t
draw_period(struct thread_slot *s)
{
	s->fine_clock.state = FORMAT_FINE_NEVER;
	atomic_store(&mon->fine_refused, 0);
	perf_clock_arm(s);
	return s->fine_clock.state == FORMAT_FINE_REFUSED ?
	    s->fine_clock.period : 0;
}

static int
draw_pairs(struct thread_slot *s, double base, double least, double most)
{
	const struct rlimit none = {0, 0};

	mon->pid = getpid();
	if (setrlimit(RLIMIT_NOFILE, &none) != 0)
		return __LINE__;
	for (unsigned i = 0; i < 2000; i++) {
		double high = base / (double)draw_period(s) - 1;
		double low = base / (double)draw_period(s) - 1;

		if (s->fine_clock.error != EMFILE)
			return __LINE__;
		/* The mean rate of a pair, to the nanosecond of a period. */
		if (fabs(high + low) > 4 / base)
			return __LINE__;
		if (high < least - 1e-5 || high > most + 1e-5)
			return __LINE__;
	}
	return 0;
}

static int
asked(void)
{
	lineage.interval = 1000000000u / 1000;
	return draw_pairs(target_slot(), 1000000, 0.04, 0.4);
}

static int
adaptive(void)
{
	lineage.interval = 0;
	return draw_pairs(target_slot(), (double)clock_period_full(), 0.04,
	    0.4);
}

/* Past the budget: about the coarse clock's. */
static int
later(void)
{
	struct thread_slot *s = target_slot();

	s->fine_clock.ns = clock_period_budget();
	return draw_pairs(s, 4334800, 0.04, 0.4);
}

/* Each tenth of the mean is the end of the first period now and then. */
static int
anywhere(void)
{
	const struct rlimit none = {0, 0};
	struct thread_slot *s = target_slot();
	unsigned seen = 0;

	mon->pid = getpid();
	if (setrlimit(RLIMIT_NOFILE, &none) != 0)
		return __LINE__;
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t ns;

		s->fine_clock.first_period = true;
		ns = draw_period(s);
		if (ns < clock_period_full() / 20 - 1 ||
		    ns > clock_period_full())
			return __LINE__;
		seen |= 1u << ns * 10 / (clock_period_full() + 1);
	}
	return seen == 0x3ff ? 0 : __LINE__;
}

Test(perf_clock, the_first_period_ends_anywhere)
{
	int line = target_child(anywhere);

	cr_expect_eq(line, 0, "line %d", line);
}

/* A period that is as short as what it takes to change it is not parted. */
static int
short_from_the_first(void)
{
	const struct rlimit none = {0, 0};
	struct thread_slot *s = target_slot();

	mon->pid = getpid();
	if (setrlimit(RLIMIT_NOFILE, &none) != 0)
		return __LINE__;
	lineage.interval = 100000;
	s->fine_clock.first_period = true;
	return draw_period(s) == 100000 ? 0 : __LINE__;
}

Test(perf_clock, a_short_first_period_is_whole)
{
	int line = target_child(short_from_the_first);

	cr_expect_eq(line, 0, "line %d", line);
}

/* The first period lasts until the first sample. */
Test(perf_clock, turns_from_the_first_period)
{
	struct thread_slot *s = target_slot();

	s->fine_clock.state = FORMAT_FINE_ON;
	cr_expect_not(perf_clock_is_period_due(s));
	s->fine_clock.first_period = true;
	cr_expect(perf_clock_is_period_due(s));
	atomic_store(&mon->frozen, true);
	cr_expect_not(perf_clock_is_period_due(s), "that opens an event");
}

Test(perf_clock, periods_are_never_the_mean_but_on_average)
{
	int line = target_child(asked);

	cr_expect_eq(line, 0, "asked: line %d", line);
	line = target_child(adaptive);
	cr_expect_eq(line, 0, "adaptive: line %d", line);
	line = target_child(later);
	cr_expect_eq(line, 0, "later: line %d", line);
}

static int
refused_for_good(void)
{
	struct thread_slot *s = target_slot();
	unsigned asked_for = 0;

	mon->pid = getpid();
	config.tier = CONFIG_TIER_PERF;
	if (target_forbid(SYS_perf_event_open, TARGET_ANY, EMFILE) != 0)
		return __LINE__;
	for (unsigned i = 0; i < 20; i++) {
		s->fine_clock.state = FORMAT_FINE_NEVER;
		s->fine_clock.period = 0;
		perf_clock_arm(s);
		asked_for += s->fine_clock.period != 0;
	}
	if (atomic_load(&mon->fine_errno) != EMFILE)
		return __LINE__;
	return asked_for == 8 ? 0 : (int)asked_for + 1;
}

/* The call would answer: it is not asked. */
static int
inherited(void)
{
	struct thread_slot *s = target_slot();

	mon->pid = getpid();
	if (target_forbid(SYS_perf_event_open, TARGET_ANY, EMFILE) != 0)
		return __LINE__;
	perf_clock_arm(s);
	if (s->fine_clock.state != FORMAT_FINE_SECCOMP ||
	    s->fine_clock.period != 0)
		return __LINE__;
	return atomic_load(&mon->fine_refused) == 0 ? 0 : __LINE__;
}

Test(perf_clock, no_fine_clock_under_a_filter)
{
	int line = target_child(inherited);

	cr_expect_eq(line, 0, "line %d", line);
}

Test(perf_clock, refusals_end_the_asking)
{
	int line = target_child(refused_for_good);

	cr_expect_eq(line, 0, "%d", line);
}

/*
 * A loop as long as the period is seen at one place meanwhile: 16 samples, and
 * 32 where these are few among all.
 */
Test(perf_clock, a_period_lasts_some_samples)
{
	struct thread_slot *s = target_slot();

	lineage.interval = 2000000;
	s->fine_clock.ns = 132000000;
	s->fine_clock.rearm = 100000000;
	cr_expect_not(perf_clock_is_period_due(s), "it is not on");
	s->fine_clock.state = FORMAT_FINE_ON;
	cr_expect(perf_clock_is_period_due(s));
	s->fine_clock.ns--;
	cr_expect_not(perf_clock_is_period_due(s));
	s->fine_clock.ns = 512000000;
	s->fine_clock.rearm = 448000001;
	cr_expect_not(perf_clock_is_period_due(s), "the 257th and later");
	s->fine_clock.rearm--;
	cr_expect(perf_clock_is_period_due(s));
	lineage.interval = 100000;
	s->fine_clock.rearm = 496000001;
	cr_expect_not(perf_clock_is_period_due(s), "16 ms at the least");
	s->fine_clock.rearm--;
	cr_expect(perf_clock_is_period_due(s));
	atomic_store(&mon->frozen, true);
	cr_expect_not(perf_clock_is_period_due(s), "that opens an event");
}

/* At once when the budget is spent, and then no more often than before. */
Test(perf_clock, turns_to_the_later_period)
{
	struct thread_slot *s = target_slot();

	s->fine_clock.state = FORMAT_FINE_ON;
	/* the longest of a thread's first */
	s->fine_clock.period = 1137885;
	s->fine_clock.ns = s->fine_clock.rearm = 1999999999;
	cr_expect_not(perf_clock_is_period_due(s));
	s->fine_clock.ns++;
	cr_expect(perf_clock_is_period_due(s));
	s->fine_clock.period = 4128380;		/* the shortest of the later */
	cr_expect_not(perf_clock_is_period_due(s));
	lineage.interval = 1000000000u / 1000;
	s->fine_clock.period = 1000000;
	cr_expect_not(perf_clock_is_period_due(s), "for good");
}

/* Spent from the start, in a child and in what a profiled process started. */
Test(perf_clock, no_budget_below_a_profiled_process)
{
	struct thread_slot *s = target_slot();

	lineage.descends = true;
	cr_expect(perf_clock_is_spent(s));
	cr_expect_eq(perf_clock_mean_period(s), 4334800);
	cr_expect_eq(clock_period_budget(), FORMAT_NO_BUDGET);
	lineage.interval = 1000000000u / 1000;
	cr_expect_not(perf_clock_is_spent(s), "a rate was asked for");
	cr_expect_eq(clock_period_budget(), 0);
	lineage.interval = 0;
	lineage.descends = false;
	cr_expect_not(perf_clock_is_spent(s));
	mon->forked = true;
	cr_expect(perf_clock_is_spent(s));
}

/* User time, or all CPU time since it went on, whichever is more. */
Test(perf_clock, budget)
{
	struct thread_slot *s = target_slot();

	cr_expect_not(perf_clock_is_spent(s));
	s->fine_clock.ns = 2000000000;
	cr_expect(perf_clock_is_spent(s));
	s->fine_clock.ns = 0;
	s->cpu.ns = 9000000000;
	cr_expect_not(perf_clock_is_spent(s), "never on");
	s->fine_clock.from = 5000000000;
	s->cpu.ns = 6999999999;
	cr_expect_not(perf_clock_is_spent(s));
	s->cpu.ns = 7000000000;
	cr_expect(perf_clock_is_spent(s));
	lineage.interval = 1000000000u / 1000;
	cr_expect_not(perf_clock_is_spent(s), "for good");
	lineage.interval = 0;
	config.tier = CONFIG_TIER_PERF;
	cr_expect_not(perf_clock_is_spent(s), "for good");
}

/* A ring that no kernel writes, with two samples in it. */
static void
leave_two(struct perf_ring *r)
{
	struct perf_event_mmap_page *page;
	uint64_t *data;

	r->bytes = 2 * config.page;
	page = mmap_area_alloc(r->bytes);
	cr_assert_not_null(page);
	data = (uint64_t *)((char *)page + config.page);
	data[0] = data[2] = (uint64_t)16 << 48 | PERF_RECORD_SAMPLE;
	data[1] = data[3] = (uintptr_t)leave_two;
	page->data_head = 32;
	r->tail = 0;
	r->words = PERF_RING_SAMPLE_WORDS;
	atomic_store(&r->map, page);
}

static struct thread_slot *
stoppable(void)
{
	struct thread_slot *s = target_slot();

	target_birth();
	cr_assert(record_prepare(s));
	s->fine_clock.state = FORMAT_FINE_ON;
	s->fine_clock.period = 1000000;
	leave_two(&s->fine_clock.ring);
	leave_two(&s->kernel_clock.ring);
	return s;
}

/* No signal tells of them any more. */
Test(perf_clock, what_is_left_is_counted)
{
	struct thread_slot *s = stoppable();
	const struct format_thread *t = store_at(s->records.thread);

	perf_clock_stop(s, FORMAT_FINE_DONE);
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_DONE);
	cr_expect_null(atomic_load(&s->fine_clock.ring.map));
	cr_expect_null(atomic_load(&s->kernel_clock.ring.map));
	cr_expect_eq(t->ticks, 4);
	cr_expect_eq(s->fine_clock.ns, 2000000);
	cr_expect_eq(atomic_load(&s->busy), 0);
	perf_clock_stop(s, FORMAT_FINE_NEVER);
	cr_expect_eq(t->ticks, 4, "once");
	cr_expect_eq(s->fine_clock.state, FORMAT_FINE_DONE);
}

/* Samples that the kernel wrote over were somewhere near the last tick. */
Test(perf_clock, what_is_overwritten_goes_to_the_last_place)
{
	struct thread_slot *s = stoppable();
	struct perf_event_mmap_page *page =
	    atomic_load(&s->fine_clock.ring.map);
	const uintptr_t last = 0x1230;
	const struct format_node *n;

	page->data_head = 16 * 1000;
	s->tick.pc = last;
	perf_clock_stop(s, FORMAT_FINE_DONE);
	n = cct_find_or_add(s->records.root, FORMAT_USER, 0, last);
	cr_assert_not_null(n);
	cr_expect_eq(n->count, 1000);
	cr_expect_eq(target_loss(LOSS_RING), 999);
}

/* From a tick, and by one who has the slot: `busy` stays theirs. */
Test(perf_clock, leaves_the_slot_to_its_holder)
{
	struct thread_slot *s = stoppable();

	atomic_store(&s->busy, 1);
	perf_clock_stop(s, FORMAT_FINE_SWITCHING);
	cr_expect_eq(s->fine_clock.ns, 2000000);
	cr_expect_eq(atomic_load(&s->busy), 1);
}

Test(perf_clock, what_a_dead_thread_left_is_a_loss)
{
	struct thread_slot *s = stoppable();
	const struct format_thread *t = store_at(s->records.thread);

	perf_clock_discard(s);
	cr_expect_eq(t->ticks, 0);
	cr_expect_eq(target_loss(LOSS_RING_LEFT), 4);
	cr_expect_null(atomic_load(&s->fine_clock.ring.map));
	perf_clock_discard(s);
	cr_expect_eq(target_loss(LOSS_RING_LEFT), 4);
}

/* The indexes in the slot are of a file that is gone. */
Test(perf_clock, nothing_is_told_to_another_file)
{
	struct thread_slot *s = stoppable();
	const struct format_thread *t = store_at(s->records.thread);

	atomic_fetch_add(&mon->store.generation, 1);
	perf_clock_stop(s, FORMAT_FINE_DONE);
	cr_expect_eq(t->ticks, 0);
	cr_expect_null(atomic_load(&s->fine_clock.ring.map));
}
