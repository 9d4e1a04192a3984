/* Context: O.  Tests of cmd/prof/prof.c: call stacks as trees, and folded. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_stacks, .init = command_init, .fini = compile_fini);

#define MAIN	0x100	/* return addresses; the objects are not there, and so
			   each place is a function of its own */
#define LEFT	0x200
#define RIGHT	0x300
#define LEAF	0x400

/*
 * main calls left 6 times as long as right, and both leaf; main itself has a
 * tenth; one stack has no outer end.  In two threads, the same in both.
 */
static void
fill(struct build *b)
{
	uint32_t m = build_module(b, "/nowhere/prog", 0, 0x10000);

	for (int tid = 1; tid <= 2; tid++) {
		uint32_t root = build_root(b, build_thread(b, tid, "t"));
		uint32_t top = build_node(b, root, FORMAT_FRAME, m, MAIN, 0, 0);
		uint32_t left = build_node(b, top, FORMAT_FRAME, m, LEFT, 0, 0);
		uint32_t right = build_node(b, top, FORMAT_FRAME, m, RIGHT, 0,
		    0);
		uint32_t cut = build_node(b, root, FORMAT_CUT, 0,
		    FORMAT_CUT_TABLE, 0, 0);

		build_node(b, left, FORMAT_USER, m, LEAF, 60, 600 * MS);
		build_node(b, right, FORMAT_USER, m, LEAF, 10, 100 * MS);
		build_node(b, top, FORMAT_USER, m, MAIN - 1, 10, 100 * MS);
		build_node(b, cut, FORMAT_USER, m, LEAF, 20, 200 * MS);
	}
}

static void
save(const char *name)
{
	struct build b;

	build_init(&b);
	fill(&b);
	build_header(&b)->cpu_ns = 2000 * MS;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

static void
expect(const char *arguments, const char *want)
{
	cr_expect_eq(prof(arguments), 0, "%s: %s", arguments, err);
	cr_expect_str_eq(out, want, "%s gives\n%s", arguments, out);
}

Test(prof_stacks, tree)
{
	save("mon.out");
	expect("--tree --no-footer",
	    " %Total   %Self Seconds  Name, below it what it called\n"
	    "   80.0     0.0   1.600  prog+0xff [prog]\n"
	    "   60.0     0.0   1.200  + prog+0x1ff [prog]\n"
	    "   60.0    60.0   1.200    prog+0x400 [prog]\n"
	    "   10.0    10.0   0.200  + prog+0xff [prog]\n"
	    "   10.0     0.0   0.200  + prog+0x2ff [prog]\n"
	    "   10.0    10.0   0.200    prog+0x400 [prog]\n"
	    "   20.0     0.0   0.400  [no callers: no unwind table or frame "
	    "pointer]\n"
	    "   20.0    20.0   0.400  prog+0x400 [prog]\n");
}

/* A caller in no known mapping, that a compiler knows, and one below it. */
Test(prof_stacks, of_a_place_that_became_generated_code)
{
	struct format_place places[] = { { .address = 0x8fff, .start =
	    0x8f00 } };
	struct build b;
	uint32_t caller, leaf;

	build_init(&b);
	caller = build_node(&b, build_root(&b, build_thread(&b, 1, "t")),
	    FORMAT_FRAME, 0, 0x9000, 0, 0);
	build_node_at(&b, caller)->how = FORMAT_HOW_UNMAPPED;
	leaf = build_node(&b, caller, FORMAT_USER, 0, 0x1000, 10, 100 * MS);
	build_node_at(&b, leaf)->how = FORMAT_HOW_PC;
	build_header(&b)->cpu_ns = 100 * MS;
	places[0].name = build_string(&b, "compiled");
	build_names(&b, 0, places, 1, NULL, 0);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	expect("--tree --no-footer",
	    " %Total   %Self Seconds  Name, below it what it called\n"
	    "  100.0     0.0   0.100  compiled\n"
	    "  100.0   100.0   0.100  [generated code]\n");
}

Test(prof_stacks, callers)
{
	save("mon.out");
	expect("--callers --no-footer",
	    "  %Time Seconds  Name, below it who called it\n"
	    "   90.0   1.800  prog+0x400 [prog]\n"
	    "   60.0   1.200  + prog+0x1ff [prog]\n"
	    "   60.0   1.200    prog+0xff [prog]\n"
	    "   20.0   0.400  + [no callers: no unwind table or frame "
	    "pointer]\n"
	    "   10.0   0.200  + prog+0x2ff [prog]\n"
	    "   10.0   0.200    prog+0xff [prog]\n"
	    "   10.0   0.200  prog+0xff [prog]\n"
	    "   10.0   0.200  prog+0xff [prog]\n");
}

#define GRAPH_HEAD \
	" %Total Seconds   %Self Seconds  Name, and who called it (<-) and " \
	"what it called (->)\n"

/* main below itself is one time of main, and one pair. */
Test(prof_stacks, graph)
{
	save("mon.out");
	expect("--graph --no-footer",
	    GRAPH_HEAD "\n   90.0   1.800    90.0   1.800  prog+0x400 [prog]\n"
	    "   60.0   1.200                    <- prog+0x1ff [prog]\n"
	    "   20.0   0.400                    <- [no callers: no unwind table "
	    "or frame pointer]\n"
	    "   10.0   0.200                    <- prog+0x2ff [prog]\n"
	    "\n   80.0   1.600    10.0   0.200  prog+0xff [prog]\n"
	    "   10.0   0.200                    <- prog+0xff [prog]\n"
	    "   60.0   1.200                    -> prog+0x1ff [prog]\n"
	    "   10.0   0.200                    -> prog+0xff [prog]\n"
	    "   10.0   0.200                    -> prog+0x2ff [prog]\n"
	    "\n   60.0   1.200     0.0   0.000  prog+0x1ff [prog]\n"
	    "   60.0   1.200                    <- prog+0xff [prog]\n"
	    "   60.0   1.200                    -> prog+0x400 [prog]\n"
	    "\n   10.0   0.200     0.0   0.000  prog+0x2ff [prog]\n"
	    "   10.0   0.200                    <- prog+0xff [prog]\n"
	    "   10.0   0.200                    -> prog+0x400 [prog]\n");
	expect("--graph --no-footer --function=*2ff --focus=*2ff", GRAPH_HEAD
	    "\n   10.0   0.200     0.0   0.000  prog+0x2ff [prog]\n"
	    "   10.0   0.200                    <- prog+0xff [prog]\n"
	    "   10.0   0.200                    -> prog+0x400 [prog]\n");
	expect("--graph --csv --min=70",
	    "caller,caller_module,function,module,calls,seconds\n"
	    "prog+0x1ff,prog,prog+0x400,prog,,1.200000000\n"
	    "[no callers: no unwind table or frame pointer],[no callers: no "
	    "unwind table or frame pointer],prog+0x400,prog,,0.400000000\n"
	    "prog+0x2ff,prog,prog+0x400,prog,,0.200000000\n"
	    "prog+0xff,prog,prog+0xff,prog,,0.200000000\n");
	cr_expect_eq(prof("--graph --no-footer --top=1"), 0);
	cr_expect_not_null(strstr(out, "\nnot shown: 3 functions (--top "
	    "shows so many)\n"), "%s", out);
}

Test(prof_stacks, of_other_than_functions)
{
	save("mon.out");
	expect("--tree --no-footer --by=module",
	    " %Total   %Self Seconds  Name, below it what it called\n"
	    "   80.0    80.0   1.600  prog [prog]\n"
	    "   20.0     0.0   0.400  [no callers: no unwind table or frame "
	    "pointer]\n"
	    "   20.0    20.0   0.400  prog [prog]\n");
	expect("--callers --no-footer --by=address --min=50",
	    "  %Time Seconds  Name, below it who called it\n"
	    "   90.0   1.800  0x400 [prog]\n"
	    "   60.0   1.200  0x1ff [prog]\n"
	    "   60.0   1.200  0xff [prog]\n"
	    "\nnot shown: 3 branches (--min=0 shows all)\n");
	expect("--tree --no-footer --by=thread,module --min=40",
	    " %Total   %Self Seconds  Name, below it what it called\n"
	    "   50.0     0.0   1.000  4242 prog, 2 t\n"
	    "   40.0    40.0   0.800  prog [prog]\n"
	    "   50.0     0.0   1.000  4242 prog, 1 t\n"
	    "   40.0    40.0   0.800  prog [prog]\n"
	    "\nnot shown: 2 branches (--min=0 shows all)\n");
	expect("--callers --no-footer --by=program --min=90",
	    "  %Time Seconds  Name, below it who called it\n"
	    "   90.0   1.800  prog+0x400 [prog]\n"
	    "\nnot shown: 4 branches (--min=0 shows all)\n");
	expect("--graph --no-footer --by=process,module --min=90",
	    " %Total Seconds   %Self Seconds  Name, and who called it (<-) and "
	    "what it called (->)\n"
	    "\n  100.0   2.000   100.0   2.000  prog [prog]\n"
	    "   80.0   1.600                    <- 4242 prog\n"
	    "   20.0   0.400                    <- [no callers: no unwind "
	    "table or frame pointer]\n"
	    "\n  100.0   2.000     0.0   0.000  4242 prog\n"
	    "   80.0   1.600                    -> prog [prog]\n"
	    "   20.0   0.400                    -> [no callers: no unwind "
	    "table or frame pointer]\n");
	cr_expect_eq(prof("--tree --by=module,line"), 2);
	cr_expect_eq(prof("--tree --by=mode"), 2);
	cr_expect_not_null(strstr(err, "stacks go with --by and one of"), "%s", err);
}

/* 0.9 of 200 samples: the true share may be 4.94 points lower. */
Test(prof_stacks, shares_have_errors_when_asked)
{
	save("mon.out");
	expect("--callers --no-footer --error --min=70",
	    "  %Time    +- Seconds  Name, below it who called it\n"
	    "   90.0   4.9   1.800  prog+0x400 [prog]\n"
	    "\nnot shown: 4 branches (--min=0 shows all)\n");
	expect("--tree --no-footer --error --min=70",
	    " %Total    +-   %Self Seconds  Name, below it what it called\n"
	    "   80.0   6.1     0.0   1.600  prog+0xff [prog]\n"
	    "\nnot shown: 4 branches (--min=0 shows all)\n");
	expect("--graph --no-footer --error --function=*400 --top=1 "
	    "--focus=*2ff",
	    " %Total    +- Seconds   %Self Seconds  Name, and who called it "
	    "(<-) and what it called (->)\n"
	    "\n   10.0   4.9   0.200    10.0   0.200  prog+0x400 [prog]\n"
	    "   10.0   4.9   0.200                    <- prog+0x2ff [prog]\n");
	expect("--no-footer --error --csv --function=*400",
	    "function,module,samples,seconds,percent,calls,percent_error\n"
	    "prog+0x400,prog,180,1.800000000,90.0000,,4.9407\n");
	expect("--no-footer --error --function=*400",
	    " %Time    +- Seconds Cumsecs  #Calls   msec/call  Name        "
	    "Module\n"
	    "  90.0   4.9   1.800   1.800                      prog+0x400  "
	    "prog\n");
}

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

Test(prof_stacks, time_asleep_is_shown_alone)
{
	save_sleeper();
	expect("--tree --no-footer",
	    " %Total   %Self Seconds  Name, below it what it called\n"
	    "  100.0     0.0   0.500  prog+0xff [prog]\n"
	    "  100.0   100.0   0.500  prog+0x400 [prog]\n"
	    "\nnot shown: 3.000 s that threads slept (--asleep shows where)\n");
	expect("--tree --no-footer --asleep",
	    " %Total   %Self Seconds  Name, below it what it called\n"
	    "  100.0     0.0   3.000  prog+0xff [prog]\n"
	    "  100.0     0.0   3.000  prog+0x1ff [prog]\n"
	    "  100.0   100.0   3.000  prog+0x3ff [prog]\n");
	expect("--callers --no-footer --asleep",
	    "  %Time Seconds  Name, below it who called it\n"
	    "  100.0   3.000  prog+0x3ff [prog]\n"
	    "  100.0   3.000  prog+0x1ff [prog]\n"
	    "  100.0   3.000  prog+0xff [prog]\n");
}

Test(prof_stacks, small_branches_are_hidden)
{
	save("mon.out");
	expect("--tree --no-footer --min=15",
	    " %Total   %Self Seconds  Name, below it what it called\n"
	    "   80.0     0.0   1.600  prog+0xff [prog]\n"
	    "   60.0     0.0   1.200  prog+0x1ff [prog]\n"
	    "   60.0    60.0   1.200  prog+0x400 [prog]\n"
	    "   20.0     0.0   0.400  [no callers: no unwind table or frame "
	    "pointer]\n"
	    "   20.0    20.0   0.400  prog+0x400 [prog]\n"
	    "\nnot shown: 2 branches (--min=0 shows all)\n");
	expect("--callers --no-footer --top=1",
	    "  %Time Seconds  Name, below it who called it\n"
	    "   90.0   1.800  prog+0x400 [prog]\n"
	    "   60.0   1.200  prog+0x1ff [prog]\n"
	    "   60.0   1.200  prog+0xff [prog]\n"
	    "\nnot shown: 3 branches (--top has 1 of each)\n");
}

Test(prof_stacks, folded_is_time)
{
	char text[4096];

	save("mon.out");
	cr_assert_eq(prof("--write=folded -o out"), 0, "%s", err);
	slurp("out", text, sizeof(text));
	cr_expect_not_null(strstr(text,
	    "prog+0xff;prog+0x1ff;prog+0x400 1200000\n"), "%s", text);
	cr_expect_not_null(strstr(text,
	    "[no callers: no unwind table or frame pointer];prog+0x400 "
	    "400000\n"), "%s", text);
	cr_expect_not_null(strstr(text, "prog+0xff;prog+0xff 200000\n"));
}

Test(prof_stacks, written_to_standard_output)
{
	save("mon.out");
	expect("--write=folded -o - --focus=*2ff",
	    "prog+0xff;prog+0x2ff;prog+0x400 200000\n");
	expect("--tree -o - --no-footer --min=80",
	    " %Total   %Self Seconds  Name, below it what it called\n"
	    "   80.0     0.0   1.600  prog+0xff [prog]\n"
	    "\nnot shown: 4 branches (--min=0 shows all)\n");
}

Test(prof_stacks, focus_and_ignore)
{
	char text[4096];

	save("mon.out");
	/* Percentages are of all CPU time, not of the part in focus. */
	expect("--tree --no-footer --focus=prog+0x2ff",
	    " %Total   %Self Seconds  Name, below it what it called\n"
	    "   10.0     0.0   0.200  prog+0xff [prog]\n"
	    "   10.0     0.0   0.200  prog+0x2ff [prog]\n"
	    "   10.0    10.0   0.200  prog+0x400 [prog]\n");
	expect("--callers --no-footer --focus='prog+0x[12]ff' "
	    "--ignore=prog+0x1ff",
	    "  %Time Seconds  Name, below it who called it\n"
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
	cr_expect_eq(prof("--focus=x"), 2);
	cr_expect_eq(prof("--write=gmon -o out --focus=x"), 2);
}

/* A thread that is picked has its stacks alone; files add up. */
Test(prof_stacks, are_picked_and_added)
{
	char text[4096];

	save("one");
	save("two");
	cr_assert_eq(prof("--write=folded -o out --thread=1 one"), 0, "%s",
	    err);
	slurp("out", text, sizeof(text));
	cr_expect_not_null(strstr(text,
	    "prog+0xff;prog+0x1ff;prog+0x400 600000\n"), "%s", text);
	cr_expect_eq(prof("--tree --csv one"), 0);
	cr_expect_not_null(strstr(out,
	    "node,parent,function,module,total_seconds,self_seconds\n"));
	cr_expect_not_null(strstr(out,
	    ",,prog+0xff,prog,1.600000000,0.000000000\n"), "%s", out);
}

Test(prof_stacks, say_how_many_are_whole)
{
	save("mon.out");
	cr_expect_eq(prof("--tree"), 0);
	cr_expect_not_null(strstr(out, "stacks: 80.00 % of the time in samples "
	    "has all its callers; 20.00 % [no callers: no unwind table or "
	    "frame pointer]\n"), "%s", out);
}

Test(prof_stacks, where_there_are_none)
{
	put("mon.out", 100, 1000);
	cr_expect_eq(prof("--tree"), 1);
	cr_expect_str_eq(out, "");
	cr_expect_not_null(strstr(err, "the files have no call stacks"),
	    "%s", err);
}

Test(prof_stacks, views_one_at_a_time)
{
	save("mon.out");
	cr_expect_eq(prof("--tree --callers"), 2);
	cr_expect_eq(prof("--tree --graph"), 2);
	cr_expect_eq(prof("--tree --function=x"), 2);
	cr_expect_eq(prof("--callers --kernel"), 2);
	cr_expect_not_null(strstr(err, "whole stacks"), "%s", err);
	cr_expect_eq(prof("--asleep"), 2);
	cr_expect_not_null(strstr(err, "need stacks"), "%s", err);
}

/* Deep as no screen is wide. */
Test(prof_stacks, a_path_of_thousands)
{
	struct build b;
	uint32_t at, m;

	build_init(&b);
	m = build_module(&b, "/nowhere/prog", 0, 0x100000);
	at = build_root(&b, build_thread(&b, 1, "t"));
	for (unsigned i = 0; i < 60000; i++)
		at = build_node(&b, at, FORMAT_FRAME, m, 0x100 + i % 7 * 16, 0,
		    0);
	build_node(&b, at, FORMAT_USER, m, LEAF, 10, 100 * MS);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--tree --no-footer -o tree"), 0, "%s", err);
	cr_expect_eq(prof("--callers --no-footer -o callers"), 0, "%s", err);
	cr_expect_eq(prof("--write=folded -o folded"), 0, "%s", err);
}
