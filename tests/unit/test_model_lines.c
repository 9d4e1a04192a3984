/* Context: O.  Tests of lines of a table that patterns and limits select. */
#include "merged.h"
#include "read/read_profile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t
lines_with(enum filter_kind what, const char *pattern)
{
	struct build b;
	size_t lines;

	cr_assert_eq(filter_add(&filter, what, pattern), 0);
	start(1u << GROUP_ADDRESS);
	process(&b, 100, 5);
	add(&b);
	process(&b, 200, 5);
	add(&b);
	finish(1u << GROUP_ADDRESS, GROUP_SORT_TIME);
	lines = g.count;
	if (lines != 0)
		lines = (size_t)(g.lines[0].count * 100 + lines);
	done();
	return lines;
}

Test(model_lines, shows_what_the_patterns_pick)
{
	cr_expect_eq(lines_with(FILTER_MODULE, "lib*"), 1002);
	cr_expect_eq(lines_with(FILTER_MODULE, "/none/*"), 1002);
	cr_expect_eq(lines_with(FILTER_MODULE, "x*"), 0);
	cr_expect_eq(lines_with(FILTER_PID, "100"), 502);
	cr_expect_eq(lines_with(FILTER_PID, "?00"), 1002);
	cr_expect_eq(lines_with(FILTER_THREAD, "work"), 1001);
	cr_expect_eq(lines_with(FILTER_THREAD, "101"), 501);
	cr_expect_eq(lines_with(FILTER_PROGRAM, "prog"), 1002);
	cr_expect_eq(lines_with(FILTER_PROGRAM, "pro"), 0);
	cr_expect_eq(lines_with(FILTER_FUNCTION, "*+0x1f"), 1001);
}

Test(model_lines, cuts_by_number_and_share)
{
	struct group_options o = { .by = 1u << GROUP_ADDRESS };
	struct build b;
	uint32_t module, root;

	start(o.by);
	build_init(&b);
	module = build_module(&b, "/none/lib.so", 0x1000, 0x9000);
	root = build_root(&b, build_thread(&b, 1, "main"));
	for (uint64_t i = 1; i <= 4; i++)
		build_node(&b, root, FORMAT_USER, module, 0x10 * i, i,
		    i * 10 * MS);
	add(&b);
	cr_assert_eq(model_finish(&m), 0);
	cr_assert_eq(symbolize_all(&m, NULL, NULL), 0);
	o.top = 2;
	cr_assert_eq(group_make(&g, &m, &o), 0);
	cr_expect_eq(g.count, 2);
	cr_expect_eq(line(0)->address, 0x40);
	cr_expect_eq(g.hidden, 2);
	cr_expect_eq(g.hidden_ns, 30 * MS);
	group_free(&g);
	o.top = 0;
	o.least = 25;
	o.sort = GROUP_SORT_ADDRESS;
	cr_assert_eq(group_make(&g, &m, &o), 0);
	cr_expect_eq(g.count, 2);
	cr_expect_eq(line(0)->address, 0x30);
	cr_expect_eq(line(1)->address, 0x40);
	done();
}

/* A process with n samples of the weight, ms, and more time at one place. */
static void
add_samples(int32_t pid, uint64_t n, uint64_t weight, uint64_t more)
{
	struct build b;
	uint32_t module;

	build_init(&b);
	build_header(&b)->pid = pid;
	build_header(&b)->sample_squares = n * weight * weight * MS;
	module = build_module(&b, "/none/lib.so", 0x1000, 0x9000);
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, module, 0x10, n, (n * weight + more) * MS);
	add(&b);
}

static double
clump_by(unsigned by)
{
	double clump;

	start(by);
	add_samples(1, 10, 1, 0);
	add_samples(2, 10, 4, 0);
	add_samples(3, 0, 0, 5);
	finish(by, GROUP_SORT_TIME);
	clump = m.clump;
	done();
	return clump;
}

/*
 * Ten samples of 1 ms, ten of 4 ms and a backlog of 5 ms at one place, whatever
 * else is kept.
 */
Test(model_lines, have_one_error_in_all_views)
{
	const double clump = (1.0 + 16) / 2 / (2.75 * 2.75);

	cr_expect_float_eq(clump_by(1u << GROUP_FUNCTION), clump, 1e-9);
	cr_expect_float_eq(clump_by(1u << GROUP_PROCESS), clump, 1e-9);
	cr_expect_float_eq(clump_by(1u << GROUP_THREAD), clump, 1e-9);
}
