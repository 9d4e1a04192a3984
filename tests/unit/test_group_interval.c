/* Context: O.  Tests of core/view/table/group_interval.c. */
#include "merged.h"

#include "table/group_interval.h"

#include <criterion/criterion.h>
#include <string.h>

/* Offsets of two functions in /none/lib.so, and what they have so far. */
enum { FIRST = 0x10, SECOND = 0x20 };

struct so_far {
	uint64_t first_ms, second_ms;
};

static struct group_interval before;

/*
 * Reads a profile of so much, and makes its table beside the one before.  The
 * order of its modules is not always the same: numbers of a model say nothing
 * in the next one.
 */
static void
report(const struct so_far *now, unsigned by, bool reversed, uint64_t top)
{
	const struct group_options o = {
		.by = by, .sort = before.begun ? GROUP_SORT_INTERVAL :
		    GROUP_SORT_TIME, .top = top, .interval = &before,
	};
	uint32_t other, own, root;
	struct build b;

	build_init(&b);
	other = reversed ? build_module(&b, "/none/other.so", 0x20000,
	    0x30000) : 0;
	own = build_module(&b, "/none/lib.so", 0x1000, 0x9000);
	root = build_root(&b, build_thread(&b, 7, "main"));
	if (reversed)
		build_node(&b, root, FORMAT_USER, other, 0x10, 1, 1 * MS);
	build_node(&b, root, FORMAT_USER, own, FIRST, now->first_ms,
	    now->first_ms * MS);
	build_node(&b, root, FORMAT_USER, own, SECOND, now->second_ms,
	    now->second_ms * MS);
	start(by);
	add(&b);
	cr_assert_eq(model_finish(&m), 0);
	cr_assert_eq(symbolize_all(&m, NULL, NULL), 0);
	cr_assert_eq(group_make(&g, &m, &o), 0);
}

static void
expect_line(size_t i, const char *name, uint64_t ns, uint64_t last_ns)
{
	cr_expect_str_eq(model_function_name(&m, line(i)->function), name);
	cr_expect_eq(line(i)->ns, ns, "%s", name);
	cr_expect_eq(line(i)->last_ns, last_ns, "%s: %llu", name,
	    (unsigned long long)line(i)->last_ns);
}

static void
stop(void)
{
	group_interval_free(&before);
}

TestSuite(group_interval, .fini = stop);

Test(group_interval, has_the_time_since_the_table_before)
{
	const unsigned by = 1u << GROUP_FUNCTION;

	report(&(struct so_far) { 500, 100 }, by, false, 0);
	cr_expect(before.begun);
	expect_line(0, "lib.so+0x10", 500 * MS, 500 * MS);
	done();
	report(&(struct so_far) { 510, 160 }, by, true, 0);
	expect_line(0, "lib.so+0x20", 160 * MS, 60 * MS);
	expect_line(1, "lib.so+0x10", 510 * MS, 10 * MS);
	expect_line(2, "other.so+0x10", 1 * MS, 1 * MS);
	cr_expect_eq(before.last_ns, 71 * MS);
	done();
	report(&(struct so_far) { 510, 160 }, by, true, 0);
	expect_line(0, "lib.so+0x10", 510 * MS, 0);
	cr_expect_eq(before.last_ns, 0);
	done();
}

/* A line that no table showed is known all the same. */
Test(group_interval, knows_lines_beyond_the_limit)
{
	const unsigned by = 1u << GROUP_FUNCTION | 1u << GROUP_THREAD;

	report(&(struct so_far) { 500, 100 }, by, false, 1);
	cr_expect_eq(g.count, 1);
	done();
	report(&(struct so_far) { 501, 150 }, by, false, 1);
	cr_expect_eq(g.count, 1);
	expect_line(0, "lib.so+0x20", 150 * MS, 50 * MS);
	done();
}

/* "prof --control end" removes all counts. */
Test(group_interval, begins_again_where_counts_were_removed)
{
	const unsigned by = 1u << GROUP_FUNCTION;

	report(&(struct so_far) { 500, 100 }, by, false, 0);
	done();
	report(&(struct so_far) { 30, 20 }, by, false, 0);
	expect_line(0, "lib.so+0x10", 30 * MS, 30 * MS);
	expect_line(1, "lib.so+0x20", 20 * MS, 20 * MS);
	cr_expect_eq(before.last_ns, 50 * MS);
	done();
}
