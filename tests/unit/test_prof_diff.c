/* Context: O.  Tests of prof --diff: what changed, and what is chance. */
#include "command.h"
#include "heap_profile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_diff, .init = command_init, .fini = compile_fini);

/*
 * Milliseconds, and samples of 1 ms, at three places; the last was not sampled.
 */
static void
save(const char *name, const char *path, uint64_t base, const unsigned *ms)
{
	struct build b;
	uint32_t m, root;

	build_init(&b);
	m = build_module(&b, path, base, base + 0x10000);
	root = build_root(&b, build_thread(&b, 1, "t"));
	for (unsigned i = 0; i < 3; i++)
		if (ms[i] != 0)
			build_node(&b, root, FORMAT_USER, m,
			    0x100 + 0x100 * i, ms[i], ms[i] * (uint64_t)MS);
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->cpu_ns = (ms[0] + ms[1] + ms[2] + ms[3]) *
	    (uint64_t)MS;
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

static void
save_both(void)
{
	/* 900 to 1225: 325 +-46; 400 to 441: 41 +-29. */
	save("old", "/a/prog", 0x5000, (unsigned[]) { 900, 400, 100, 0 });
	save("new", "/b/prog", 0x9000, (unsigned[]) { 1225, 441, 0, 50 });
}

Test(prof_diff, says_what_is_chance)
{
	save_both();
	cr_expect_eq(prof("--diff old --no-footer new"), 0, "%s", err);
	cr_expect_str_eq(out,
	    "   Change       +-   Before      Now Points  Sure    Name  Module\n"
	    "   +0.325    0.046    0.900    1.225   +7.1  yes     prog+0x100  "
	    "prog\n"
	    "   -0.100    0.010    0.100    0.000   -7.1  yes     prog+0x300  "
	    "prog\n"
	    "   +0.050        -    0.000    0.050   +2.9  -       [not sampled]"
	    "  [not sampled]\n"
	    "   +0.041    0.029    0.400    0.441   -2.9  noise   prog+0x200  "
	    "prog\n"
	    "\nCPU time: 1.400 s before, 1.716 s now: +0.316 s (+22.6 %)\n"
	    "noise: less than 3 standard deviations of the samples; how much "
	    "runs differ is not known: name several a side, as "
	    "--diff=OLD1,OLD2,OLD3 NEW1,NEW2,NEW3\n");
	cr_expect_eq(prof("--diff old new"), 0, "%s", err);
	cr_expect_eq(strncmp(out, "Before:\n", 8), 0, "%s", out);
	cr_expect_not_null(strstr(out, "\nNow:\n"), "%s", out);
}

/* A run of half the length: all seconds shrink, and nothing has changed. */
Test(prof_diff, a_shorter_run_is_no_change)
{
	save("old", "/a/prog", 0x5000, (unsigned[]) { 1800, 800, 400, 0 });
	save("new", "/a/prog", 0x5000, (unsigned[]) { 900, 400, 200, 0 });
	cr_expect_eq(prof("--diff old --no-footer new"), 0, "%s", err);
	cr_expect_str_eq(out,
	    "   Change       +-   Before      Now Points  Sure    Name  Module\n"
	    "   -0.900    0.052    1.800    0.900   +0.0  amount  prog+0x100  "
	    "prog\n"
	    "   -0.400    0.035    0.800    0.400   +0.0  amount  prog+0x200  "
	    "prog\n"
	    "   -0.200    0.024    0.400    0.200   +0.0  amount  prog+0x300  "
	    "prog\n"
	    "\nCPU time: 3.000 s before, 1.500 s now: -1.500 s (-50.0 %)\n"
	    "amount: sure in seconds, not as a share; --per=1 says that runs do "
	    "equal work\n"
	    "noise: less than 3 standard deviations of the samples; how much "
	    "runs differ is not known: name several a side, as "
	    "--diff=OLD1,OLD2,OLD3 NEW1,NEW2,NEW3\n");
	cr_expect_eq(prof("--diff old --csv --per=1 new"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nprog+0x100,prog,1.800000000,"
	    "0.900000000,-0.900000000,0.051961524,0.0000,yes,cpu\n"), "%s",
	    out);
	cr_expect_eq(prof("--diff old --csv --per=200,100 new"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nprog+0x100,prog,1.800000000,"
	    "1.800000000,0.000000000,0.073484692,0.0000,noise,cpu\n"), "%s",
	    out);
}

/* One function became faster: the shares of the others grow. */
Test(prof_diff, a_share_that_grows_alone_is_no_change)
{
	save("old", "/a/prog", 0x5000, (unsigned[]) { 4000, 800, 4000, 0 });
	save("new", "/a/prog", 0x5000, (unsigned[]) { 4000, 800, 400, 0 });
	cr_expect_eq(prof("--diff old --csv new"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nprog+0x300,prog,4.000000000,"
	    "0.400000000,-3.600000000,0.066332496,-37.7622,yes,cpu\n"), "%s",
	    out);
	cr_expect_not_null(strstr(out, "\nprog+0x100,prog,4.000000000,"
	    "4.000000000,0.000000000,0.089442719,31.4685,share,cpu\n"), "%s",
	    out);
	cr_expect_eq(prof("--diff old --no-footer new"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nshare: sure as a share, not in "
	    "seconds: other lines changed\n"), "%s", out);
}

static void
save_ms(const char *name, unsigned first, unsigned second)
{
	save(name, "/a/prog", 0x5000, (unsigned[]) { first, second, 100, 0 });
}

/* Runs of one side that differ by more than their samples say are no change. */
Test(prof_diff, the_spread_of_runs_joins_the_error)
{
	save_ms("a1", 1000, 1000);
	save_ms("a2", 1400, 1000);
	save_ms("a3", 1200, 1000);
	save_ms("b1", 1500, 2000);
	save_ms("b2", 1300, 2000);
	save_ms("b3", 1700, 2000);
	cr_expect_eq(prof("--diff a1 --csv b1"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nprog+0x100,prog,1.000000000,"
	    "1.500000000,0.500000000,0.050000000,"), "%s", out);
	cr_expect_eq(prof("--diff a1,a2,a3 --csv b1,b2,b3"), 0, "%s", err);
	/* Variance 40000, 1350 of it of samples, widened by 2.21 squared. */
	cr_expect_not_null(strstr(out, "\nprog+0x100,prog,1.200000000,"
	    "1.500000000,0.300000000,0.355"), "%s", out);
	cr_expect_not_null(strstr(out, "\nprog+0x200,prog,1.000000000,"
	    "2.000000000,1.000000000,0.031622777,"), "%s", out);
	cr_expect_eq(prof("--diff a1,a2,a3 --csv -- b1,b2,b3"), 0, "%s", err);
	cr_expect_eq(prof("--diff a1,a2 --no-footer b1"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nCPU time, means of runs: "), "%s",
	    out);
	cr_expect_eq(prof("--diff a1,nothing --csv b1"), 1);
	cr_expect_str_eq(err, "prof: nothing: cannot be opened: No such file "
	    "or directory\n");
	cr_expect_eq(prof("--diff a1,a2 --html page b1"), 2);
	cr_expect_str_eq(err, "prof: a page compares two runs: name one a "
	    "side\n");
	/* A file may have a comma in its name. */
	save_ms("c,1", 1000, 1000);
	cr_expect_eq(prof("--diff c,1 --csv c,1"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nprog+0x100,prog,1.000000000,"
	    "1.000000000,0.000000000,0.044721360,"), "%s", out);
}

Test(prof_diff, growth_fails)
{
	save("old", "/a/prog", 0x5000, (unsigned[]) { 900, 2000, 100, 0 });
	save("new", "/a/prog", 0x5000, (unsigned[]) { 1800, 2000, 100, 0 });
	cr_expect_eq(prof("--diff old --fail-over=40 new"), 0, "%s", err);
	cr_expect_eq(prof("--diff old --fail-over=20% new"), 3);
	cr_expect_str_eq(err, "prof: the total grew by 30.0 % of the earlier "
	    "CPU time (--fail-over=20)\n"
	    "prof: prog+0x100 grew by 30.0 % of the earlier CPU time "
	    "(--fail-over=20)\n");
	cr_expect_eq(prof("--diff new --fail-over=0 old"), 0, "%s", err);
	/* The name of a module is from the file, and a terminal obeys it. */
	save("old", "/a/\033[7m", 0x5000, (unsigned[]) { 900, 2000, 100, 0 });
	save("new", "/a/\033[7m", 0x5000, (unsigned[]) { 1800, 2000, 100, 0 });
	cr_expect_eq(prof("--diff old --fail-over=20 new"), 3);
	cr_expect_not_null(strstr(err, "\nprof: ?[7m+0x100 grew by 30.0 %"),
	    "%s", err);
}

Test(prof_diff, is_a_table_in_markdown)
{
	save_both();
	cr_expect_eq(prof("--diff old --markdown --top=2 new"), 0, "%s", err);
	cr_expect_str_eq(out,
	    "| Change | &plusmn; | Before | Now | Points | Sure | Name | Module "
	    "|\n"
	    "| ---: | ---: | ---: | ---: | ---: | :---: | --- | --- |\n"
	    "| +0.325 | 0.046 | 0.900 | 1.225 | +7.1 | yes | `prog+0x100` | "
	    "`prog` |\n"
	    "| -0.100 | 0.010 | 0.100 | 0.000 | -7.1 | yes | `prog+0x300` | "
	    "`prog` |\n"
	    "\n- not shown: 2 lines (--top=0 shows all)\n"
	    "- CPU time: 1.400 s before, 1.716 s now: +0.316 s (+22.6 %)\n"
	    "- noise: less than 3 standard deviations of the samples; how much "
	    "runs differ is not known: name several a side, as "
	    "--diff=OLD1,OLD2,OLD3 NEW1,NEW2,NEW3\n");
}

Test(prof_diff, of_itself_is_nothing)
{
	save_both();
	cr_expect_eq(prof("--diff new --csv new"), 0, "%s", err);
	cr_expect_str_eq(out, "function,module,before_seconds,now_seconds,"
	    "change_seconds,error_seconds,change_points,sure,mode\n"
	    "[not sampled],[not sampled],0.050000000,0.050000000,0.000000000,"
	    ",0.0000,-,cpu\n"
	    "prog+0x100,prog,1.225000000,1.225000000,0.000000000,0.049497475,"
	    "0.0000,noise,cpu\n"
	    "prog+0x200,prog,0.441000000,0.441000000,0.000000000,0.029698485,"
	    "0.0000,noise,cpu\n");
}

Test(prof_diff, is_grouped_cut_and_filtered_as_tables_are)
{
	save_both();
	cr_expect_eq(prof("--diff old --by=module --csv new"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nprog,1.400000000,1.666000000,"
	    "0.266000000,"), "%s", out);
	cr_expect_eq(prof("--diff old --top=1 new"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nnot shown: 3 lines (--top=0 shows "
	    "all)\n"), "%s", out);
	cr_expect_eq(prof("--diff old --function='*0x300' --csv new"), 0);
	cr_expect_not_null(strstr(out, "\nprog+0x300,prog,0.100000000,"
	    "0.000000000,-0.100000000,"), "%s", out);
	cr_expect_eq(prof("--diff old --function=nowhere --csv new"), 1);
	cr_expect_eq(prof("--diff old --function='*0x200' --csv new"), 0);
	cr_expect_null(strstr(out, "0x100"), "%s", out);
}

Test(prof_diff, wrong_use)
{
	static const char *const bad[] = {
		"--diff=old --per=0 new", "--diff=old --per=1, new",
		"--diff=old --per=1,-1 new", "--diff=old --per=x new",
		"--diff=old --per= new", "--diff=old --per=1,2,3 new",
		"--diff=old --per=nan new", "--diff=old --per=1,inf new",
		"--diff=old --fail-over=x new", "--diff=old --fail-over=-1 new",
		"--diff=old --fail-over= new", "--diff=old --fail-over=5x new",
	};

	save_both();
	cr_expect_eq(prof("--diff=nothing new"), 1);
	cr_expect_str_eq(err, "prof: nothing: cannot be opened: No such file "
	    "or directory\n");
	cr_expect_str_eq(out, "");
	cr_expect_eq(prof("--diff=old --tree new"), 2);
	cr_expect_eq(prof("--diff=old --write=folded -o x new"), 2);
	cr_expect_eq(prof("--diff=old --sort=name new"), 2);
	cr_expect_eq(prof("--diff=old --info new"), 2);
	cr_expect_eq(prof("--diff=old --markdown --csv new"), 2);
	cr_expect_eq(prof("--fail-over=5 new"), 2);
	cr_expect_str_eq(err, "prof: --per, --fail-over and --markdown go with "
	    "--diff\n");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_eq(prof(bad[i]), 2, "%s", bad[i]);
}

/* Time and allocations are not compared, nor one run's with nothing. */
Test(prof_diff, of_allocations_alone)
{
	heap_save("heap", 10, true);
	save_both();
	cr_expect_eq(prof("--diff=heap heap"), 1, "%s", out);
	cr_expect_str_eq(err, "prof: the runs have allocations alone; --diff "
	    "--heap compares allocations; prof record --heap --time records "
	    "both\n");
	cr_expect_eq(prof("--diff=heap new"), 1, "%s", out);
	cr_expect_not_null(strstr(err, "one run has allocations alone, and no "
	    "time; "), "%s", err);
	cr_expect_eq(prof("--diff=heap --heap heap"), 0, "%s", err);
}
