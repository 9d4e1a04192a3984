/* Context: O.  Tests of core/model/derive/code_times.c. */
#include "derive/code_times.h"

#include <criterion/criterion.h>

enum { MAIN, WORK, INLINED, FUNCTIONS };

/*
 * main (line 5) calls work (line 10), which has inlined() of line 20 at its
 * line 11; and work calls itself.  Files and modules are 0.
 */
static struct model_scope scopes[] = {
	{ .line = 20, .function = INLINED }, { .line = 11, .function = WORK },
	{ .line = 10, .function = WORK },
	{ .line = 5, .function = MAIN },
};

static struct stack_frame frames[] = {
	{ .address = 0 },
	{ .address = 0x105, .kind = FORMAT_FRAME, .function = MAIN, .scope = 3,
	    .scopes = 1 },
	{ .address = 0x205, .kind = FORMAT_FRAME, .caller = 1,
	    .function = WORK, .scope = 2, .scopes = 1 },
	{ .address = 0x205, .kind = FORMAT_FRAME, .caller = 2,
	    .function = WORK, .scope = 2, .scopes = 1 },
};

static struct model_row rows[] = {
	/* in inlined(), two calls of work deep */
	{ .kind = FORMAT_USER, .address = 0x210, .function = WORK, .stack = 3,
	    .scopes = 2, .ns = 100, .count = 2 },
	/* in main itself */
	{ .kind = FORMAT_USER, .address = 0x110, .function = MAIN, .scope = 3,
	    .scopes = 1, .ns = 30, .count = 1 },
	/* asleep, and a caller: not CPU time */
	{ .kind = FORMAT_SLEEP, .address = 0x110, .function = MAIN, .ns = 999 },
	{ .kind = FORMAT_FRAME, .address = 0x105, .function = MAIN },
};

static struct code_times t;

static void
make(void)
{
	static const bool wanted[FUNCTIONS] = { true, true, true };
	struct model m = {
		.rows = rows, .row_count = sizeof(rows) / sizeof(rows[0]),
		.scopes = scopes, .scope_count = sizeof(scopes) /
		    sizeof(scopes[0]), .function_count = FUNCTIONS,
		.stacks = { .frames = frames, .count = sizeof(frames) /
		    sizeof(frames[0]) },
	};

	cr_assert_eq(code_times_make(&t, &m, wanted), 0);
}

static const struct code_time *
only(uint32_t function, enum code_time_kind kind, uint32_t line,
    uint64_t address)
{
	size_t count, first = code_times_find(&t, function, kind, &count);
	const struct code_time *found = NULL;

	for (size_t i = first; i < first + count; i++)
		if (t.all[i].line == line && t.all[i].address == address) {
			cr_assert_null(found);
			found = &t.all[i];
		}
	cr_assert_not_null(found, "%u %d %u", function, kind, line);
	return found;
}

static void
expect(const struct code_time *own, uint64_t self, uint64_t total)
{
	cr_expect_eq(own->self_ns, self, "%u:%u has %lu", own->function,
	    own->line, own->self_ns);
	cr_expect_eq(own->total_ns, total, "%u:%u has %lu", own->function,
	    own->line, own->total_ns);
}

/* Each stack counts once for a line, however often it passes through it. */
Test(code_times, of_lines)
{
	make();
	cr_expect_eq(t.all_ns, 130);
	expect(only(MAIN, CODE_TIME_LINE, 5, 0), 30, 130);
	expect(only(WORK, CODE_TIME_LINE, 10, 0), 0, 100);
	expect(only(WORK, CODE_TIME_LINE, 11, 0), 100, 100);
	expect(only(INLINED, CODE_TIME_LINE, 20, 0), 100, 100);
	expect(only(INLINED, CODE_TIME_INLINED, 20, 0), 100, 100);
	cr_expect_eq(only(WORK, CODE_TIME_LINE, 11, 0)->count, 2);
	code_times_free(&t);
}

/* The address of a caller is that of its call. */
Test(code_times, of_instructions)
{
	const struct code_time *own;

	make();
	expect(only(MAIN, CODE_TIME_ADDRESS, 5, 0x104), 0, 100);
	expect(only(MAIN, CODE_TIME_ADDRESS, 5, 0x110), 30, 30);
	expect(only(WORK, CODE_TIME_ADDRESS, 10, 0x204), 0, 100);
	own = only(WORK, CODE_TIME_ADDRESS, 11, 0x210);
	expect(own, 100, 100);
	cr_expect_eq(own->inner_line, 20);
	code_times_free(&t);
}

Test(code_times, of_functions)
{
	make();
	cr_expect_eq(t.functions[MAIN].self_ns, 30);
	cr_expect_eq(t.functions[MAIN].total_ns, 130);
	cr_expect_eq(t.functions[WORK].self_ns, 100);
	cr_expect_eq(t.functions[WORK].inlined_ns, 0);
	cr_expect_eq(t.functions[WORK].total_ns, 100);
	cr_expect_eq(t.functions[INLINED].inlined_ns, 100);
	code_times_free(&t);
}
