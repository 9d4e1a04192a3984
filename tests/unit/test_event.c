/*
 * Context: O.  Tests of core/sampler: events by name, how they are asked, and
 * what counters make of turns.
 */
#include "event/counter.h"

#include "classic/tprof.h"
#include "filter.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

static struct fault f;

static struct event
one(const char *spec)
{
	struct events e = { .all = NULL };
	struct event own;

	cr_assert_eq(events_add(&e, spec, 1000, &f), 0, "%s: %s", spec,
	    f.what);
	own = e.all[0];
	events_free(&e);
	return own;
}

Test(event, clocks_have_the_rate_that_was_asked)
{
	const struct event e = one("cpu-clock");

	cr_expect(e.ns);
	cr_expect_not(e.paced);
	cr_expect_str_eq(e.name, "cpu-clock");
	cr_expect_eq(e.attr.type, PERF_TYPE_SOFTWARE);
	/* About 1 ms, and not round. */
	cr_expect_geq(e.period, 990000);
	cr_expect_leq(e.period, 1010000);
	cr_expect_neq(e.period % 1000000, 0);
	cr_expect(e.attr.exclude_idle);
}

Test(event, modes_and_scales)
{
	struct event e = one("page-faults:u,=100");

	cr_expect_str_eq(e.name, "page-faults:u");
	cr_expect_eq(e.period, 100);
	cr_expect(e.attr.exclude_kernel);
	cr_expect_not(e.attr.exclude_user);
	e = one("cs:k,0x10");
	cr_expect(e.attr.exclude_user);
	cr_expect_geq(e.period, 1000);
	e = one("cpu-clock:uk");
	cr_expect_not(e.attr.exclude_user);
	cr_expect_not(e.attr.exclude_kernel);
	cr_expect_eq(one("cpu-clock,=1").period, 10000,
	    "as often as the kernel looks at a clock");
	e = one("page-faults");
	cr_expect(e.paced, "the kernel paces what may be seldom");
	e = one("cycles");
	cr_expect(e.cycles);
	cr_expect_geq(e.period, 1000);
	e = one("LLC-load-misses");
	cr_expect_eq(e.attr.type, PERF_TYPE_HW_CACHE);
	cr_expect_eq(e.attr.config, 2 | 0 << 8 | 1 << 16);
	e = one("r1a8");
	cr_expect_eq(e.attr.type, PERF_TYPE_RAW);
	cr_expect_eq(e.attr.config, 0x1a8);
}

Test(event, what_is_none_says_so)
{
	static const char *const wrong[] = {
		"", "nosuch", "cpu-clock:x", "cpu-clock,", "cpu-clock,=",
		"cpu-clock,=0", "cpu-clock,-1", "cpu-clock,1x", ":u", ",5",
		"cpu-clock,99999999999999999999", "../x/", "x/../y/",
		"cpu/../../x/", "/x/", "sched:../x", "r", "rxyz",
		"r1ffffffffffffffff", "cpu/config=0x1ffffffffffffffff/",
		"msr/event=0x1ffffffffffffffff/",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct events e = { .all = NULL };

		f = (struct fault) { .what = NULL };
		cr_expect_lt(events_add(&e, wrong[i], 1000, &f), 0, "%s",
		    wrong[i]);
		cr_expect_not_null(f.what, "%s", wrong[i]);
		cr_expect_str_eq(f.file, wrong[i]);
		events_free(&e);
	}
}

Test(event, no_more_than_records_can_number)
{
	struct events e = { .all = NULL };

	for (unsigned i = 0; i < TPROF_EVENTS; i++)
		cr_assert_eq(events_add(&e, "cs", 1000, &f), 0);
	cr_expect_lt(events_add(&e, "cs", 1000, &f), 0);
	events_free(&e);
}

/* perf_event_open(2) fails: of a process, and of all on a processor. */
static void
refuse(unsigned process, unsigned whole)
{
	struct sock_filter code[] = {
		LD(nr),
		JEQ(SYS_perf_event_open, 0, 4),
		LD(args[1]),
		JEQ(-1, 0, 1),
		RET(ERRNO | whole),
		RET(ERRNO | process),
		YES,
	};
	const struct sock_fprog p = { sizeof(code) / sizeof(code[0]), code };

	cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	cr_assert_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p), 0);
}

Test(event, who_may_count_nothing_has_no_event)
{
	const struct event e = one("cpu-clock");

	refuse(EACCES, EACCES);
	cr_expect_not(event_is_there(&e));
}

Test(event, under_seccomp_there_is_none)
{
	const struct event e = one("cpu-clock");

	refuse(EPERM, EPERM);
	cr_expect_not(event_is_there(&e));
}

Test(event, of_processors_alone_is_there_for_who_may_not)
{
	const struct event e = one("cpu-clock");

	refuse(EINVAL, EACCES);
	cr_expect(event_is_there(&e));
}

Test(event, of_nobody_is_not_there)
{
	const struct event e = one("cpu-clock");

	refuse(ENOENT, EACCES);
	cr_expect_not(event_is_there(&e));
}

Test(event, an_interval_has_the_turns_of_its_own_time)
{
	/* Two processors: on for a tenth of the time, then for all of it. */
	const struct counter_value none[2] = { { 0 } };
	const struct counter_value before[2] = {
		{ .value = 1000, .enabled = 1000, .running = 100 },
		{ .value = 10, .enabled = 1000, .running = 0 },
	};
	const struct counter_value now[2] = {
		{ .value = 1100, .enabled = 2000, .running = 600 },
		{ .value = 40, .enabled = 2000, .running = 500 },
	};
	bool shared = false;

	cr_expect_eq(counter_scaled_since(now, before, 2, 0, &shared), 100);
	cr_expect_eq(counter_scaled_since(now, before, 2, 1, &shared), 30);
	cr_expect_not(shared);
	cr_expect_eq(counter_scaled_since(before, none, 2, 0, &shared), 10000,
	    "more than 1100 / 1100 * 2000, which is the total since");
	cr_expect(shared);
	shared = false;
	cr_expect_eq(counter_scaled_since(now, before, 1, 0, &shared), 200,
	    "a processor by itself");
	cr_expect(shared);
	cr_expect_eq(counter_scaled_since(now, now, 2, 0, &shared), 0);
}
