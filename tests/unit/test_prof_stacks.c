/* Context: O.  Tests of cmd/prof/prof.c: call stacks as trees, and folded. */
#include "stack_profile.h"
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_stacks, .init = command_init, .fini = compile_fini);

Test(prof_stacks, tree)
{
	stacks_save("mon.out");
	stacks_expect("--tree --no-footer",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "   80.0     0.0   1.600  prog+0xff [prog]\n"
	    "   60.0     0.0   1.200    + prog+0x1ff [prog]\n"
	    "   60.0    60.0   1.200      prog+0x400 [prog]\n"
	    "   10.0    10.0   0.200    + prog+0xff [prog]\n"
	    "   10.0     0.0   0.200    + prog+0x2ff [prog]\n"
	    "   10.0    10.0   0.200      prog+0x400 [prog]\n"
	    "   20.0     0.0   0.400  [no callers: no unwind table or frame "
	    "pointer]\n"
	    "   20.0    20.0   0.400    prog+0x400 [prog]\n");
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
	stacks_expect("--tree --no-footer",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "  100.0     0.0   0.100  compiled [generated code]\n"
	    "  100.0   100.0   0.100  [generated code]\n");
}

/* Functions of Python have a module of their own in all views and files. */
Test(prof_stacks, of_python)
{
	struct format_place places[2] = {
		{ .address = 0x8fff, .start = 0x8f00 },
		{ .address = 0x1000, .start = 0x1000 },
	};
	struct build b;
	uint32_t caller, leaf;

	build_init(&b);
	caller = build_node(&b, build_root(&b, build_thread(&b, 1, "t")),
	    FORMAT_FRAME, 0, 0x9000, 0, 0);
	leaf = build_node(&b, caller, FORMAT_USER, 0, 0x1000, 10, 100 * MS);
	build_node_at(&b, leaf)->how = FORMAT_HOW_PC;
	build_header(&b)->cpu_ns = 100 * MS;
	places[0].name = build_string(&b, "py::main:/job.py");
	places[1].name = build_string(&b, "py::leaf:/job.py");
	build_names(&b, 0, places, 2, NULL, 0);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	stacks_expect("--tree --no-footer",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "  100.0     0.0   0.100  py::main:/job.py [python]\n"
	    "  100.0   100.0   0.100  py::leaf:/job.py [python]\n");
	stacks_expect("--csv --module='[python]'",
	    "function,module,samples,seconds,percent,calls\n"
	    "py::leaf:/job.py,[python],10,0.100000000,100.0000,\n");
	stacks_expect("--csv --by=module",
	    "function,module,samples,seconds,percent,calls\n"
	    ",[python],10,0.100000000,100.0000,\n");
	cr_expect_eq(prof("--module='[generated code]'"), 1);
	cr_expect_eq(prof("--html=page.html"), 0);
	cr_expect_eq(compile_run("grep -q '\\[python\\]' page.html"), 0);
	cr_expect_eq(prof("--explain"), 0);
	cr_expect_not_null(strstr(out, "\nNames in brackets\n  [python]: "
	    "functions of Python, which python3 -X perf gives names; "),
	    "%s", out);
}

Test(prof_stacks, callers)
{
	stacks_save("mon.out");
	stacks_expect("--callers --no-footer",
	    "  %Time Seconds  Name, below it who called it "
	    "(+ one of several)\n"
	    "   90.0   1.800  prog+0x400 [prog]\n"
	    "   60.0   1.200    + prog+0x1ff [prog]\n"
	    "   60.0   1.200      prog+0xff [prog]\n"
	    "   20.0   0.400    + [no callers: no unwind table or frame "
	    "pointer]\n"
	    "   10.0   0.200    + prog+0x2ff [prog]\n"
	    "   10.0   0.200      prog+0xff [prog]\n"
	    "   10.0   0.200  prog+0xff [prog]\n"
	    "   10.0   0.200    prog+0xff [prog]\n");
}

#define GRAPH_NOTE \
	"%Total: the function and all that it called (inclusive); of a pair, " \
	"while the one\nhad called the other.  %Self: the function itself.\n"
#define GRAPH_HEAD \
	GRAPH_NOTE " %Total Seconds   %Self Seconds  Name, and who called it (<-) and " \
	"what it called (->)\n"

/* main below itself is one time of main, and one pair. */
Test(prof_stacks, graph)
{
	stacks_save("mon.out");
	stacks_expect("--graph --no-footer",
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
	stacks_expect("--graph --no-footer --function=*2ff --focus=*2ff",
	    GRAPH_HEAD
	    "\n   10.0   0.200     0.0   0.000  prog+0x2ff [prog]\n"
	    "   10.0   0.200                    <- prog+0xff [prog]\n"
	    "   10.0   0.200                    -> prog+0x400 [prog]\n");
	stacks_expect("--graph --csv --min=70",
	    "caller,caller_module,function,module,calls,seconds\n"
	    "prog+0x1ff,prog,prog+0x400,prog,,1.200000000\n"
	    "[no callers: no unwind table or frame pointer],[no callers: no "
	    "unwind table or frame pointer],prog+0x400,prog,,0.400000000\n"
	    "prog+0x2ff,prog,prog+0x400,prog,,0.200000000\n"
	    "prog+0xff,prog,prog+0xff,prog,,0.200000000\n");
	cr_expect_eq(prof("--graph --no-footer --top=1"), 0);
	cr_expect_not_null(strstr(out, "\nnot shown: 3 functions (--top=0 "
	    "shows all)\n"), "%s", out);
}

Test(prof_stacks, of_other_than_functions)
{
	stacks_save("mon.out");
	stacks_expect("--tree --no-footer --by=module",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "   80.0    80.0   1.600  prog [prog]\n"
	    "   20.0     0.0   0.400  [no callers: no unwind table or frame "
	    "pointer]\n"
	    "   20.0    20.0   0.400    prog [prog]\n");
	stacks_expect("--callers --no-footer --by=address --min=50",
	    "  %Time Seconds  Name, below it who called it "
	    "(+ one of several)\n"
	    "   90.0   1.800  0x400 [prog]\n"
	    "   60.0   1.200  0x1ff [prog]\n"
	    "   60.0   1.200  0xff [prog]\n"
	    "\nnot shown: 3 branches (--min=0 shows all)\n");
	stacks_expect("--tree --no-footer --by=thread,module --min=40",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "   50.0     0.0   1.000  4242 prog, 2 t\n"
	    "   40.0    40.0   0.800    prog [prog]\n"
	    "   50.0     0.0   1.000  4242 prog, 1 t\n"
	    "   40.0    40.0   0.800    prog [prog]\n"
	    "\nnot shown: 2 branches (--min=0 shows all)\n");
	stacks_expect("--callers --no-footer --by=program --min=90",
	    "  %Time Seconds  Name, below it who called it "
	    "(+ one of several)\n"
	    "   90.0   1.800  prog+0x400 [prog]\n"
	    "\nnot shown: 4 branches (--min=0 shows all)\n");
	stacks_expect("--graph --no-footer --by=process,module --min=90",
	    GRAPH_NOTE " %Total Seconds   %Self Seconds  Name, and who called it (<-) and "
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
	cr_expect_not_null(strstr(err, "stacks go with --by and one of"), "%s",
	    err);
}

/* 0.9 of 200 samples: the true share may be 4.94 points lower. */
Test(prof_stacks, shares_have_errors_when_asked)
{
	stacks_save("mon.out");
	stacks_expect("--callers --no-footer --error --min=70",
	    "  %Time    +- Seconds  Name, below it who called it "
	    "(+ one of several)\n"
	    "   90.0   4.9   1.800  prog+0x400 [prog]\n"
	    "\nnot shown: 4 branches (--min=0 shows all)\n");
	stacks_expect("--tree --no-footer --error --min=70",
	    " %Total    +-   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "   80.0   6.1     0.0   1.600  prog+0xff [prog]\n"
	    "\nnot shown: 4 branches (--min=0 shows all)\n");
	stacks_expect("--graph --no-footer --error --function=*400 --top=1 "
	    "--focus=*2ff",
	    GRAPH_NOTE
	    " %Total    +- Seconds   %Self Seconds  Name, and who called it "
	    "(<-) and what it called (->)\n"
	    "\n   10.0   4.9   0.200    10.0   0.200  prog+0x400 [prog]\n"
	    "   10.0   4.9   0.200                    <- prog+0x2ff [prog]\n");
	stacks_expect("--no-footer --error --csv --function=*400",
	    "function,module,samples,seconds,percent,calls,percent_error\n"
	    "prog+0x400,prog,180,1.800000000,90.0000,,4.9407\n");
	stacks_expect("--no-footer --error --function=*400",
	    "  Self %    +-  Total %   Self s  Name        Module\n"
	    "    90.0   4.9     90.0    1.800  prog+0x400  prog\n");
}

Test(prof_stacks, small_branches_are_hidden)
{
	stacks_save("mon.out");
	stacks_expect("--tree --no-footer --min=15",
	    " %Total   %Self Seconds  Name, below it what it called "
	    "(+ one of several)\n"
	    "   80.0     0.0   1.600  prog+0xff [prog]\n"
	    "   60.0     0.0   1.200    prog+0x1ff [prog]\n"
	    "   60.0    60.0   1.200    prog+0x400 [prog]\n"
	    "   20.0     0.0   0.400  [no callers: no unwind table or frame "
	    "pointer]\n"
	    "   20.0    20.0   0.400    prog+0x400 [prog]\n"
	    "\nnot shown: 2 branches (--min=0 shows all)\n");
	stacks_expect("--callers --no-footer --top=1",
	    "  %Time Seconds  Name, below it who called it "
	    "(+ one of several)\n"
	    "   90.0   1.800  prog+0x400 [prog]\n"
	    "   60.0   1.200  prog+0x1ff [prog]\n"
	    "   60.0   1.200  prog+0xff [prog]\n"
	    "\nnot shown: 3 branches (--top=1; --top=0 shows all)\n");
}

/* A thread that is picked has its stacks alone; files add up. */
Test(prof_stacks, are_picked_and_added)
{
	char text[4096];

	stacks_save("one");
	stacks_save("two");
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
	stacks_save("mon.out");
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
	stacks_save("mon.out");
	cr_expect_eq(prof("--tree --callers"), 2);
	cr_expect_eq(prof("--tree --graph"), 2);
	cr_expect_eq(prof("--tree --function=x"), 2);
	cr_expect_eq(prof("--callers --kernel"), 2);
	cr_expect_not_null(strstr(err, "whole stacks"), "%s", err);
	cr_expect_eq(prof("--no-inline"), 2);
	cr_expect_not_null(strstr(err, "are of stacks"), "%s", err);
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
