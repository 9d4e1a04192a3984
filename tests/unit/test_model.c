/* Context: O.  Tests of core/model: merging, grouping, filters. */
#include "merged.h"
#include "read/read_profile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

Test(model, adds_processes_together)
{
	struct build b;

	start(1u << GROUP_FUNCTION);
	for (int i = 0; i < 3; i++) {
		process(&b, 100 * (i + 1), 5);
		add(&b);
	}
	cr_expect_eq(m.process_count, 3);
	cr_expect_eq(m.module_count, MODEL_MODULES + 1);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(m.row_count, 2);
	cr_expect_eq(g.count, 2);
	cr_expect_eq(line(0)->count, 15);
	cr_expect_eq(line(0)->ns, 15 * MS);
	cr_expect_eq(g.total_ns, 30 * MS);
	done();
}

Test(model, keeps_apart_what_is_asked_for)
{
	static const struct { unsigned by; size_t lines; } want[] = {
		{ 1u << GROUP_PROCESS, 2 },
		{ 1u << GROUP_PROGRAM, 1 },
		{ 1u << GROUP_THREAD, 4 },
		{ 1u << GROUP_MODE, 2 },
		{ 1u << GROUP_MODULE, 1 },
		{ 1u << GROUP_ADDRESS, 2 },
		{ 1u << GROUP_PROCESS | 1u << GROUP_FUNCTION, 4 },
	};
	struct build b;

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		uint64_t sum = 0;

		start(want[i].by);
		process(&b, 100, 5);
		add(&b);
		process(&b, 200, 6);
		add(&b);
		finish(want[i].by, GROUP_SORT_TIME);
		cr_expect_eq(g.count, want[i].lines, "%zu: %zu", i, g.count);
		for (size_t j = 0; j < g.count; j++)
			sum += g.lines[j].ns;
		cr_expect_eq(sum, 22 * MS);
		done();
	}
}

static void
calling_process(struct build *b, int pid, uint64_t calls)
{
	uint32_t module;

	process(b, pid, 5);
	module = build_header(b)->modules;
	build_arcs(b, 3);
	build_arc(b, module, 0x10, module, 0x25, calls);
	build_arc(b, module, 0x12, module, 0x25, 1);
	build_arc(b, 0, 0x7000, module, 0x25, 2);
}

/* Calls join the line of their function, and make one where it took no time. */
Test(model, adds_calls_to_functions)
{
	struct build b;
	uint64_t calls = 0;

	start(1u << GROUP_FUNCTION);
	calling_process(&b, 100, 40);
	add(&b);
	calling_process(&b, 200, 2);
	add(&b);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_CALLS);
	cr_expect_eq(line(0)->calls, 42);
	cr_expect_eq(line(0)->ns, 10 * MS);
	for (size_t i = 0; i < g.count; i++)
		calls += g.lines[i].calls;
	cr_expect_eq(calls, 42 + 2 + 4);
	cr_expect_eq(g.total_ns, 20 * MS);
	done();
}

/* Nobody knows of which thread they are. */
Test(model, knows_no_threads_of_calls)
{
	struct build b;

	start(1u << GROUP_THREAD);
	calling_process(&b, 100, 40);
	add(&b);
	finish(1u << GROUP_THREAD, GROUP_SORT_TIME);
	cr_expect_eq(g.count, 2);
	for (size_t i = 0; i < g.count; i++)
		cr_expect_eq(g.lines[i].calls, 0);
	done();
}

/* CPU time of 20 ms in the kernel's books, 10 in samples. */
static void
rest(uint32_t fine_seen, const char *name)
{
	struct build b;

	start(1u << GROUP_FUNCTION);
	process(&b, 100, 5);
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->cpu_ns = 23 * MS;
	build_header(&b)->cpu_birth_ns = 3 * MS;
	build_header(&b)->fine_seen = fine_seen;
	add(&b);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(g.total_ns, 20 * MS);
	cr_expect_eq(line(0)->ns, 10 * MS);
	cr_expect_eq(line(0)->count, 0);
	cr_expect_str_eq(model_function_name(&m, line(0)->function), name);
	done();
}

Test(model, shows_time_without_samples)
{
	rest(1u << FORMAT_FINE_ON, "[kernel: page faults and interrupts]");
	rest(1u << FORMAT_FINE_DONE, "[kernel: page faults and interrupts]");
	rest(1u << FORMAT_FINE_REFUSED, "[not sampled]");
}

/* A second without samples, of which the kernel says that it took 300 ms. */
static void
missing_second(bool ended)
{
	struct build b;

	start(1u << GROUP_FUNCTION);
	process(&b, 100, 5);
	if (ended)
		build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->cpu_ns = 1010 * MS;
	build_header(&b)->cpu_birth_ns = 0;
	build_header(&b)->system_ns = 300 * MS;
	build_header(&b)->tick_ns = 4 * MS;
	build_header(&b)->fine_seen = 1u << FORMAT_FINE_ON;
	add(&b);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(g.total_ns, 1010 * MS);
}

static void
expect_line(size_t i, uint64_t ns, const char *name)
{
	cr_expect_eq(line(i)->ns, ns);
	cr_expect_str_eq(model_function_name(&m, line(i)->function), name);
}

/* User time that no clock saw is not given to the kernel. */
Test(model, knows_how_much_the_kernel_took)
{
	missing_second(true);
	expect_line(0, 680 * MS, "[not sampled]");
	expect_line(1, 320 * MS, "[kernel: page faults and interrupts]");
	done();
}

/* Its rusage was never written. */
Test(model, knows_nothing_of_who_was_killed)
{
	missing_second(false);
	expect_line(0, 1000 * MS, "[kernel: page faults and interrupts]");
	done();
}

Test(model, takes_more_samples_than_time_as_they_are)
{
	struct build b;

	start(1u << GROUP_FUNCTION);
	process(&b, 100, 5);
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->cpu_ns = 9 * MS;
	build_header(&b)->cpu_birth_ns = 0;
	add(&b);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(g.total_ns, 10 * MS);
	cr_expect_eq(g.count, 2);
	done();
}

/* Somebody truncated the first file of a process: it wrote a second. */
Test(model, counts_the_time_of_a_process_once)
{
	struct build b;

	start(1u << GROUP_FUNCTION);
	for (int i = 0; i < 2; i++) {
		process(&b, 100, 5);
		build_seal(&b, FORMAT_END_EXIT, 0);
		build_header(&b)->cpu_ns = 40 * MS;
		build_header(&b)->cpu_birth_ns = 0;
		add(&b);
	}
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(m.process_count, 1);
	cr_expect_eq(g.total_ns, 40 * MS);
	done();
}

Test(model, never_adds_sleep_to_cpu_time)
{
	struct build b;
	uint32_t module, root;

	start(1u << GROUP_FUNCTION);
	build_init(&b);
	module = build_module(&b, "/none/lib.so", 0x1000, 0x9000);
	root = build_root(&b, build_thread(&b, 1, "main"));
	build_node(&b, root, FORMAT_KERNEL, module, 0x20, 5, 5 * MS);
	build_node(&b, root, FORMAT_SLEEP, module, 0x20, 900, 900 * MS);
	add(&b);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(g.total_ns, 5 * MS);
	cr_expect_eq(g.total_sleep, 900 * MS);
	cr_expect_eq(g.count, 2);
	cr_expect_eq(g.cpu_lines, 1);
	cr_expect_eq(line(0)->ns, 5 * MS);
	cr_expect_eq(line(1)->mode, GROUP_SLEEP);
	done();
}

/* The size of the arrays follows the distinct rows, not the files. */
Test(model, does_not_grow_with_equal_files)
{
	struct build b;

	start(1u << GROUP_FUNCTION);
	for (int i = 0; i < 5000; i++) {
		process(&b, 100 + 2 * i, 5);
		add(&b);
	}
	cr_expect_leq(m.row_room, 64);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(line(0)->count, 25000);
	done();
}

/* One long text that many records name. */
Test(model, does_not_copy_a_text_for_each_record)
{
	enum { RECORDS = 2000, LONG = 1 << 20 };
	char *text = malloc(LONG);
	struct build b;
	uint32_t path;

	cr_assert_not_null(text);
	memset(text, 'x', LONG);
	start(1u << GROUP_FUNCTION);
	build_init(&b);
	path = build_text(&b, text, LONG);
	for (uint64_t i = 0; i < RECORDS; i++) {
		uint32_t module = build_module(&b, "/none/x", i, i + 1);

		build_module_at(&b, module)->path = path;
	}
	add(&b);
	cr_expect_eq(m.module_count, MODEL_MODULES + 1);
	done();
	free(text);
}

/* Its newer thread is whole: what that counted must not stay alone. */
Test(model, adds_nothing_of_a_damaged_file)
{
	struct decode d;
	struct fault f;
	struct build b;
	uint32_t node;

	start(1u << GROUP_FUNCTION);
	build_init(&b);
	node = build_node(&b, build_root(&b, build_thread(&b, 1, "older")),
	    FORMAT_USER, 0, 0x10, 1, MS);
	build_node(&b, build_root(&b, build_thread(&b, 2, "newer")),
	    FORMAT_USER, 0, 0x20, 1, MS);
	build_node_at(&b, node)->sibling = node;
	cr_assert_eq(decode_open(&d, b.bytes, build_size(&b), &f), 0);
	cr_expect_eq(read_profile_add(&m, &d, &f), -EINVAL);
	cr_expect_eq(m.row_count, 0);
	cr_expect_eq(m.process_count, 0);
	cr_expect_eq(m.thread_count, 0);
	cr_expect_eq(m.files, 0);
	decode_close(&d);
	build_fini(&b);
	done();
}

static void
timed(int run, int pid, uint64_t mono, uint64_t clock_was_set)
{
	struct build b;
	uint32_t thread, node;

	build_init(&b);
	build_header(&b)->pid = pid;
	build_header(&b)->run_pid = run;
	build_header(&b)->birth_real += clock_was_set;
	thread = build_thread(&b, pid, "main");
	node = build_node(&b, build_root(&b, thread), FORMAT_USER, 0,
	    (uint64_t)pid, 2, 2 * MS);
	mono += build_header(&b)->birth_mono;
	build_moments(&b, thread, (struct format_logged_tick[]) {
		{ mono, node, MS }, { mono + 5 * MS, node, MS },
	}, 2);
	add(&b);
}

/*
 * Moments of one run are on its one clock, whatever was done to real time; in
 * order, and of the rows as they are sorted.
 */
Test(model, knows_when_rows_were_added_to)
{
	uint64_t first;

	cr_assert_eq(model_init(&m, &filter, MODEL_KEEP_MOMENTS |
	    MODEL_KEEP_PROCESS, DEMANGLE_OFF), 0);
	timed(100, 102, 20 * MS, 0);
	timed(100, 101, 21 * MS, 7000 * MS);
	timed(200, 103, 22 * MS, 7000 * MS);
	cr_assert_eq(model_finish(&m), 0);
	cr_assert_eq(m.moment_count, 6);
	first = m.moments[0].real;
	cr_expect_eq(m.rows[m.moments[0].row].address, 102);
	cr_expect_eq(m.moments[1].real, first + MS);
	cr_expect_eq(m.rows[m.moments[1].row].address, 101);
	cr_expect_eq(m.moments[2].real, first + 5 * MS);
	cr_expect_eq(m.moments[3].real, first + 6 * MS);
	cr_expect_eq(m.rows[m.moments[4].row].address, 103, "another run");
	cr_expect_eq(m.moments[4].real, first + 7002 * MS);
	model_free(&m);
}
