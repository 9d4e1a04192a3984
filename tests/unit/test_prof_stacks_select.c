/* Context: O.  Tests of stacks of sleepers, and of stacks that are selected. */
#include "stack_profile.h"
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_stacks_select, .init = command_init, .fini = compile_fini);

/* Half a second of CPU time, and three of sleep below another function. */
static void
save_sleeper(void)
{
	struct build b;
	uint32_t m, root, top, left;

	build_init(&b);
	m = build_module(&b, "/nowhere/prog", 0, 0x10000);
	root = build_root(&b, build_thread(&b, 1, "t"));
	top = build_node(&b, root, FORMAT_FRAME, m, MAIN, 0, 0);
	left = build_node(&b, top, FORMAT_FRAME, m, LEFT, 0, 0);
	build_node(&b, top, FORMAT_USER, m, LEAF, 50, 500 * MS);
	build_node(&b, left, FORMAT_SLEEP, m, LEAF, 300, 3000 * MS);
	build_header(&b)->cpu_ns = 500 * MS;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
}

Test(prof_stacks_select, time_asleep_is_shown_alone)
{
	save_sleeper();
	stacks_expect("--tree --no-footer",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "  100.0     0.0   0.500  prog+0xff [prog]\n"
	    "  100.0   100.0   0.500  prog+0x400 [prog]\n"
	    "\nnot shown: 3.000 s that threads slept (--asleep shows where)\n");
	stacks_expect("--tree --no-footer --asleep",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "  100.0     0.0   3.000  prog+0xff [prog]\n"
	    "  100.0     0.0   3.000  prog+0x1ff [prog]\n"
	    "  100.0   100.0   3.000  prog+0x3ff [prog]\n");
	stacks_expect("--callers --no-footer --asleep",
	    "  %Time Seconds  Name, below it who called it "
	    "(+ one of several)\n"
	    "  100.0   3.000  prog+0x3ff [prog]\n"
	    "  100.0   3.000  prog+0x1ff [prog]\n"
	    "  100.0   3.000  prog+0xff [prog]\n");
}

/* With --by, and without a view, a table of what slept. */
Test(prof_stacks_select, time_asleep_is_grouped)
{
	save_sleeper();
	stacks_expect("--asleep --by=module --no-footer",
	    "Asleep (share of all time that threads slept):\n"
	    "  Time %  Seconds  Module\n"
	    "   100.0    3.000  prog\n");
	stacks_expect("--asleep --by=module --csv",
	    "function,module,samples,seconds,percent,calls\n"
	    ",prog,300,3.000000000,100.0000,\n");
	cr_expect_eq(prof("--asleep --by=module --focus=prog"), 2);
}

Test(prof_stacks_select, folded_is_time)
{
	char text[4096];

	stacks_save("mon.out");
	cr_assert_eq(prof("--write=folded -o out"), 0, "%s", err);
	slurp("out", text, sizeof(text));
	cr_expect_not_null(strstr(text,
	    "prog+0xff;prog+0x1ff;prog+0x400 1200000\n"), "%s", text);
	cr_expect_not_null(strstr(text,
	    "[no callers: no unwind table or frame pointer];prog+0x400 "
	    "400000\n"), "%s", text);
	cr_expect_not_null(strstr(text, "prog+0xff;prog+0xff 200000\n"));
}

Test(prof_stacks_select, written_to_standard_output)
{
	stacks_save("mon.out");
	stacks_expect("--write=folded -o - --focus=*2ff",
	    "prog+0xff;prog+0x2ff;prog+0x400 200000\n");
	stacks_expect("--write=folded --focus=*2ff",
	    "prog+0xff;prog+0x2ff;prog+0x400 200000\n");
	stacks_expect("--tree -o - --no-footer --min=80",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "   80.0     0.0   1.600  prog+0xff [prog]\n"
	    "\nnot shown: 4 branches (--min=0 shows all)\n");
}

Test(prof_stacks_select, focus_and_ignore)
{
	char text[4096];

	stacks_save("mon.out");
	/* Percentages are of all CPU time, not of the part in focus. */
	stacks_expect("--no-footer --focus=prog+0x2ff",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "   10.0     0.0   0.200  prog+0xff [prog]\n"
	    "   10.0     0.0   0.200  prog+0x2ff [prog]\n"
	    "   10.0    10.0   0.200  prog+0x400 [prog]\n");
	stacks_expect("--callers --no-footer --focus='prog+0x[12]ff' "
	    "--ignore=prog+0x1ff",
	    "  %Time Seconds  Name, below it who called it "
	    "(+ one of several)\n"
	    "   10.0   0.200  prog+0x400 [prog]\n"
	    "   10.0   0.200  prog+0x2ff [prog]\n"
	    "   10.0   0.200  prog+0xff [prog]\n");
	cr_expect_eq(prof("--write=folded -o out --ignore='[[]no*'"), 0, "%s",
	    err);
	slurp("out", text, sizeof(text));
	cr_expect_null(strstr(text, "[no callers"), "%s", text);
	cr_expect_not_null(strstr(text, "prog+0x1ff;prog+0x400"), "%s", text);
	cr_expect_eq(prof("--tree --focus=misspelt"), 1);
	/* Nothing is no reason to lose what was there. */
	cr_expect_eq(prof("--html=page"), 0);
	cr_expect_eq(compile_run("cp page kept"), 0);
	cr_expect_eq(prof("--html=page --focus=misspelt"), 1);
	cr_expect_eq(compile_run("cmp page kept"), 0);
	cr_expect_eq(prof("--write=folded -o none --focus=misspelt"), 1);
	cr_expect_neq(compile_run("test -e none"), 0);
	cr_expect_eq(prof("--tree --focus=misspelt"), 1);
	cr_expect_not_null(strstr(err, "--focus=misspelt: no stack has a "
	    "function of that name"), "%s", err);
	cr_expect_eq(prof("--write=folded -o out --ignore=misspelt"), 1);
	cr_expect_eq(prof("--focus=x --by=mode"), 2);
	cr_expect_eq(prof("--write=gmon -o out --focus=x"), 2);
}
