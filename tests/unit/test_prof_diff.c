/* Context: O.  Tests of prof --diff: what changed, and what is chance. */
#include "command.h"

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
	cr_expect_eq(prof("--diff old new"), 0, "%s", err);
	cr_expect_str_eq(out,
	    "   Change      +-   Before      Now  Sure    Name  Module\n"
	    "   +0.325    0.046    0.900    1.225  yes     prog+0x100  prog\n"
	    "   -0.100    0.010    0.100    0.000  yes     prog+0x300  prog\n"
	    "   +0.050        -    0.000    0.050  -       [not sampled]  "
	    "[not sampled]\n"
	    "   +0.041    0.029    0.400    0.441  noise   prog+0x200  prog\n"
	    "\nCPU time: 1.400 s before, 1.716 s now: +0.316 s (+22.6 %)\n"
	    "noise: less than 3 standard deviations of the samples, which do "
	    "not include differences from run to run\n");
}

Test(prof_diff, of_itself_is_nothing)
{
	save_both();
	cr_expect_eq(prof("--diff new --csv new"), 0, "%s", err);
	cr_expect_str_eq(out, "function,module,before_seconds,now_seconds,"
	    "change_seconds,error_seconds,sure,mode\n"
	    "[not sampled],[not sampled],0.050000000,0.050000000,0.000000000,"
	    ",-,cpu\n"
	    "prog+0x100,prog,1.225000000,1.225000000,0.000000000,0.049497475,"
	    "noise,cpu\n"
	    "prog+0x200,prog,0.441000000,0.441000000,0.000000000,0.029698485,"
	    "noise,cpu\n");
}

Test(prof_diff, is_grouped_cut_and_filtered_as_tables_are)
{
	save_both();
	cr_expect_eq(prof("--diff old --by=module --csv new"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nprog,1.400000000,1.666000000,"
	    "0.266000000,"), "%s", out);
	cr_expect_eq(prof("--diff old --top=1 new"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nnot shown: 3 lines (--top shows so "
	    "many)\n"), "%s", out);
	cr_expect_eq(prof("--diff old --function='*0x300' --csv new"), 0);
	cr_expect_not_null(strstr(out, "\nprog+0x300,prog,0.100000000,"
	    "0.000000000,-0.100000000,"), "%s", out);
	cr_expect_eq(prof("--diff old --function=nowhere --csv new"), 1);
	cr_expect_eq(prof("--diff old --function='*0x200' --csv new"), 0);
	cr_expect_null(strstr(out, "0x100"), "%s", out);
}

Test(prof_diff, wrong_use)
{
	save_both();
	cr_expect_eq(prof("--diff=nothing new"), 1);
	cr_expect_str_eq(err, "prof: nothing: cannot be opened: No such file "
	    "or directory\n");
	cr_expect_str_eq(out, "");
	cr_expect_eq(prof("--diff=old --tree new"), 2);
	cr_expect_eq(prof("--diff=old --write=folded -o x new"), 2);
	cr_expect_eq(prof("--diff=old --sort=name new"), 2);
	cr_expect_eq(prof("--diff=old --info new"), 2);
}
