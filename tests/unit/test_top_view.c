/*
 * Context: O.  Tests of core/view/top*.c: the screen of tprof top, to the byte.
 */
#include "top/top_view.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct aggregate c;
static struct name_cache n;
static struct top_state s;
static struct top_table t;
static const struct top_event events[] = { { "cycles", false },
	{ "misses", false } };
static const unsigned cpus[] = { 0, 3 };
static const struct top_process processes[] = { { 100, "one" },
	{ 200, "two" } };
static const struct top_thread threads[] = { { 0, 101, "worker" } };
static struct top_input in;

static uint32_t
node(uint32_t caller, const char *name, const char *module, bool kernel)
{
	return aggregate_find_node(&c, caller, name_cache_add_known(&n, name,
	    module, kernel));
}

static void
count(uint32_t event, uint32_t cpu, uint32_t process, uint32_t at,
    uint64_t samples)
{
	const struct aggregate_key key = { event, cpu, process,
		process == 0 ? 101 : 200, at };
	const struct aggregate_value v = { samples, samples * 1000 };

	cr_assert_eq(aggregate_add(&c, &key, &v), 0);
}

/* The shown table is a copy, as that of a look is. */
static void
look(void)
{
	static struct aggregate_cell cells[64];

	cr_assert_leq(c.cell_count, 64u);
	for (size_t i = 0; i < c.cell_count; i++) {
		cells[i] = c.cells[i];
		cells[i].now = aggregate_interval_value(&c, &c.cells[i]);
	}
	in.cells = cells;
	in.cell_count = c.cell_count;
	top_table_free(&t);
	cr_assert_eq(top_table_make(&t, &in, &s), 0);
}

static void
setup(void)
{
	uint32_t main_, hot, sys;

	aggregate_init(&c, 1000);
	name_cache_init(&n);
	top_state_init(&s);
	in = (struct top_input) {
		.aggregate = &c, .names = &n, .events = events,
		.event_count = 2, .cpus = cpus, .cpu_count = 2,
		.processes = processes, .threads = threads,
		.thread_count = 1, .scope = "all processes",
		.clock = "12:00:00", .now_seconds = 1, .all_seconds = 60,
		.stat_names = { "sample", "overflow" }, .stat_count = 2,
		.stats = { 30, 5 }, .stats_before = { 10, 5 },
	};
	main_ = node(0, "main", "one", false);
	hot = node(main_, "hot", "one", false);
	sys = node(hot, "sys_read", "[kernel]", true);
	count(0, 0, 0, hot, 50);
	aggregate_next_interval(&c);
	count(0, 0, 0, hot, 9);
	count(0, 3, 0, node(node(main_, "other", "one", false), "hot", "one",
	    false), 3);
	count(0, 3, 1, node(0, "cold", "lib.so", false), 4);
	count(0, 0, 0, sys, 4);
	count(1, 0, 0, main_, 1);
	look();
}

static void
teardown(void)
{
	top_table_free(&t);
	name_cache_free(&n);
	aggregate_free(&c);
}

TestSuite(top_view, .init = setup, .fini = teardown);

static char *
shown(int columns, int rows)
{
	static char *plain;
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	top_view_put(out, &in, &s, &t, columns, rows);
	fclose(out);
	free(plain);
	out = open_memstream(&plain, &bytes);
	top_view_plain(out, text);
	fclose(out);
	free(text);
	return plain;
}

static enum top_action
key(int k)
{
	const enum top_action deed = top_keys_handle(&s, &in, &t, 10, k);

	if (deed == TOP_REMAKE)
		look();
	return deed;
}

Test(top_view, is_a_table_with_a_head_and_totals)
{
	cr_expect_str_eq(shown(80, 13),
" tprof top: all processes, cycles (1 of 2)      functions, last 1.0 s  12:00:00 \n"
" sample 30(+20)  overflow 5(+0)\n"
"\n"
"  Rate  Sample#  Function                                            CPU0   CPU3\n"
" 60.00       12  hot (one)                                              9      3\n"
" 20.00        4  cold (lib.so)                                          .      4\n"
" 20.00        4  sys_read ([kernel])                                    4      .\n"
"\n"
"\n"
"\n"
" 20.00        4  in-kernel                                              4      .\n"
" 80.00       16  userland                                               9      7\n"
" q quit  h help  Enter callers  a all  f freeze  s sort  1 2 3 views  e event\n"
	);
}

/* Whatever was lost is where a narrow screen has it; what was not, is not. */
Test(top_view, losses_come_first)
{
	static const char *const names[] = {
		"sample", "buf", "emptybuf", "overflow", "dropbuf",
		TOP_NOT_UNDERSTOOD, TOP_UNREPORTED,
	};
	const char *text;

	memcpy(in.stat_names, names, sizeof(names));
	in.stat_count = sizeof(names) / sizeof(names[0]);
	in.stats[3] = 0;
	in.stats_before[1] = in.stats[1] = 0;
	text = shown(200, 13);
	cr_expect_not_null(strstr(text, "\n sample 30(+20)  buf 0(+0)  "
	    "emptybuf 0(+0)  overflow 0(+0)  dropbuf 0(+0)\n"), "%s", text);
	in.stats[4] = 3;
	in.stats[5] = 2;
	text = shown(60, 13);
	cr_expect_not_null(strstr(text, "\n sample 30(+20)  dropbuf 3(+3)  "
	    "not_understood 2(+2)\n"), "%s", text);
}

/* As wide as the longest name, no keys, nothing chosen. */
Test(top_view, is_printed_whole_where_there_is_no_terminal)
{
	cr_expect_str_eq(shown(0, 0),
" tprof top: all processes, cycles (1 of 2)  functions, last 1.0 s  12:00:00 \n"
" sample 30(+20)  overflow 5(+0)\n"
"\n"
"  Rate  Sample#  Function                             CPU0   CPU3\n"
" 60.00       12  hot (one)                               9      3\n"
" 20.00        4  cold (lib.so)                           .      4\n"
" 20.00        4  sys_read ([kernel])                     4      .\n"
" 20.00        4  in-kernel                               4      .\n"
" 80.00       16  userland                                9      7\n"
	);
}

Test(top_view, accumulates)
{
	cr_expect_eq(key('a'), TOP_REMAKE);
	cr_expect_str_eq(t.lines[0].name, "hot");
	cr_expect_eq(t.lines[0].value.count, 62u);
	cr_expect_eq(t.all.count, 70u);
	cr_expect_not_null(strstr(shown(80, 13), "functions, all 60 s"));
	key('a');
	cr_expect_eq(t.all.count, 20u);
}

Test(top_view, shows_processes_and_threads)
{
	key('2');
	cr_assert_eq(t.count, 2u);
	cr_expect_str_eq(t.lines[0].own, "<100:one>");
	cr_expect_eq(t.lines[0].value.count, 16u);
	key('\t');
	cr_assert_eq(t.count, 2u);
	cr_expect_str_eq(t.lines[0].own, "<100.101:worker>");
	cr_expect_str_eq(t.lines[1].own, "<200.200:>");
	/* Shows the thread's functions; then all threads again. */
	key(TOP_KEY_ENTER);
	cr_assert_eq(t.count, 2u);
	cr_expect_str_eq(t.lines[0].name, "hot");
	cr_expect_eq(t.all.count, 16u);
	key(TOP_KEY_BACK);
	cr_expect_str_eq(t.lines[0].own, "<100.101:worker>");
}

Test(top_view, makes_a_process_of_its_user_functions)
{
	key('u');
	cr_assert_eq(t.count, 3u);
	cr_expect_str_eq(t.lines[0].own, "<100:one>");
	cr_expect_eq(t.lines[0].value.count, 12u);
	cr_expect_str_eq(t.lines[1].own, "<200:two>");
	cr_expect_str_eq(t.lines[2].name, "sys_read");
	cr_expect(t.lines[2].kernel);
}

Test(top_view, sorts)
{
	key('s');
	cr_expect_str_eq(t.lines[0].name, "cold");
	cr_expect_str_eq(t.lines[1].name, "hot");
	key('s');
	cr_expect_str_eq(t.lines[0].module, "[kernel]");
	key('s');
	cr_expect_str_eq(t.lines[0].name, "hot");
}

Test(top_view, drills_into_callers)
{
	cr_expect_eq(key(TOP_KEY_ENTER), TOP_REMAKE);
	cr_expect_str_eq(shown(60, 13),
" tprof top: ...cles (1 of 2)  callers, last 1.0 s  12:00:00 \n"
" sample 30(+20)  overflow 5(+0)\n"
"\n"
" Share  Sample#  Called from\n"
"100.00       12  hot (one)\n"
" 75.00        9    main (one)\n"
" 25.00        3    other (one)\n"
"                   main (one)\n"
"\n"
"\n"
" 20.00        4  in-kernel\n"
" 80.00       16  userland\n"
" q quit  h help  Esc back  a all  f freeze  s sort\n"
	);
	cr_expect_eq(key(TOP_KEY_ENTER), TOP_NOTHING);
	key(TOP_KEY_BACK);
	cr_expect_eq(t.count, 3u);
}

/* The outermost frame was seen without a caller. */
Test(top_view, says_where_no_callers_are_known)
{
	key('j');
	key(TOP_KEY_ENTER);
	cr_assert_eq(t.count, 2u);
	cr_expect_str_eq(t.lines[1].name, "[no callers are known]");
	cr_expect_eq(t.lines[1].value.count, 4u);
}

/* A line that was chosen stays so wherever it goes. */
Test(top_view, follows_what_was_chosen)
{
	key(TOP_KEY_DOWN);
	key(TOP_KEY_DOWN);
	key(TOP_KEY_DOWN);
	cr_expect_eq(s.selected, 2u);
	key('s');
	top_keys_settle(&s, &t, 10);
	cr_expect_str_eq(t.lines[s.selected].name, "sys_read");
	key('k');
	key('g');
	cr_expect_eq(s.selected, 0u);
	/* One line of the table fits. */
	key('G');
	top_keys_settle(&s, &t, 1);
	cr_expect_eq(s.first, 2u);
}

Test(top_view, goes_round_events_and_tells_of_counters)
{
	static const uint64_t before[4], now[4] = { 1000, 20, 3, 4 };

	in.counts = now;
	in.counts_before = before;
	key('e');
	cr_assert_eq(t.count, 1u);
	cr_expect_str_eq(t.lines[0].name, "main");
	cr_expect_eq(key('c'), TOP_REDRAW);
	cr_expect_not_null(strstr(shown(80, 16),
" Counter                     all CPUs          CPU0          CPU3\n"
" cycles                          1020          1000            20\n"
" misses                             7             3             4\n"
"\n"
"  Rate  Sample#  Function"));
	key('e');
	cr_expect_eq(t.count, 3u);
}

Test(top_view, other_keys)
{
	cr_expect_eq(key('q'), TOP_QUIT);
	cr_expect_eq(key('z'), TOP_CLEAR);
	cr_expect_eq(key('x'), TOP_NOTHING);
	cr_expect_eq(key(' '), TOP_REDRAW);
	cr_expect(s.frozen);
	cr_expect_not_null(strstr(shown(80, 13), "FROZEN"));
	cr_expect_eq(key('h'), TOP_REDRAW);
	cr_expect_not_null(strstr(shown(80, 40), "freeze the screen"));
	cr_expect_eq(key('z'), TOP_REDRAW);
	cr_expect_null(strstr(shown(80, 40), "freeze the screen"));
}

/* However small it is, and with names of any size. */
Test(top_view, fits)
{
	char name[300];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	count(0, 0, 0, node(0, name, "m", false), 100);
	look();
	for (int columns = 20; columns < 200; columns += 7)
		for (int rows = 8; rows < 30; rows++) {
			int lines = 0;

			for (char *at = shown(columns, rows); *at != '\0';) {
				const size_t own = strcspn(at, "\n");

				cr_assert_leq(own, (size_t)columns,
				    "%d: %.*s", columns, (int)own, at);
				at += own + 1;
				lines++;
			}
			cr_assert_eq(lines, rows);
		}
}
