/*
 * Context: O.  Tests of core/sampler: events by name, and how they are asked.
 */
#include "event/event.h"

#include "classic/tprof.h"

#include <criterion/criterion.h>
#include <string.h>

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
