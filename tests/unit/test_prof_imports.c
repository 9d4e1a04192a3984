/* Context: O.  Tests of prof on the files of other profilers. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_imports, .init = command_init, .fini = compile_fini);

static void
save(const char *name, const char *text)
{
	FILE *to = fopen(compile_path(name), "w");

	cr_assert_not_null(to);
	cr_assert_geq(fputs(text, to), 0);
	cr_assert_eq(fclose(to), 0);
}

static void
shows(const char *arguments, const char *wanted)
{
	cr_expect_eq(prof(arguments), 0, "%s: %s", arguments, err);
	cr_expect_str_eq(out, wanted, "%s:\n%s", arguments, out);
	cr_expect_str_eq(err, "", "%s", err);
}

/* Two runs of one library at other addresses, and what a compiler made anew. */
static const char perf[] =
    "a 7/7 1.0: 1000000 cpu-clock:\n"
    "\t7f0000001010 f+0x10 (/lib/l.so)\n\t400010 main+0x10 (/bin/a)\n\n"
    "b 8/8 1.0: 2000000 cpu-clock:\n"
    "\t7e0000001010 f+0x10 (/lib/l.so)\n\t500010 main+0x10 (/bin/b)\n\n"
    "b 8/9 1.0: 3000000 cpu-clock:\n"
    "\t5000 jit1 (/tmp/perf-8.map)\n\n"
    "b 8/9 1.0: 4000000 cpu-clock:\n"
    "\t5000 jit2 (/tmp/perf-8.map)\n\n"
    "b 8/9 1.0: 5000000 cpu-clock:\n"
    "\tffffffff81000010 sys+0x10 ([kernel.kallsyms])\n\n";

Test(prof_imports, a_function_is_its_module_and_name)
{
	save("p", perf);
	shows("--csv p", "function,module,samples,seconds,percent,calls\n"
	    "sys,[kernel],1,0.005000000,33.3333,\n"
	    "jit2,perf-8.map,1,0.004000000,26.6667,\n"
	    "f,l.so,2,0.003000000,20.0000,\n"
	    "jit1,perf-8.map,1,0.003000000,20.0000,\n");
	shows("--csv --by=address p",
	    "function,module,samples,seconds,percent,calls,address\n"
	    "sys,[kernel],1,0.005000000,33.3333,,0xffffffff81000010\n"
	    "jit2,perf-8.map,1,0.004000000,26.6667,,0x1\n"
	    "f,l.so,2,0.003000000,20.0000,,0x7f0000001010\n"
	    "jit1,perf-8.map,1,0.003000000,20.0000,,0x5000\n");
}

/* Two of one name, as each file can have its own; what is called of a third. */
Test(prof_imports, a_function_of_callgrind_is_of_a_file)
{
	save("c", "events: Ir\nob=(1) /bin/x\nfl=(1) a.c\nfn=(1) f\n10 1\n"
	    "fl=(2) b.c\nfn=(1)\n10 2\nfn=(2) main\n5 4\n"
	    "cfn=(1)\ncalls=3 0\n6 2\ncfi=(1)\ncfn=(1)\ncalls=4 0\n6 1\n"
	    "cob=(2) ???\ncfi=(3) ???\ncfn=(4) 0x1\ncalls=5 0\n7 8\n"
	    "ob=(2)\nfl=(3)\nfn=(4)\n0 8\n");
	shows("--csv c", "function,module,samples,seconds,percent,calls\n"
	    "0x1,-,0,0.000000008,53.3333,5\n"
	    "main,x,0,0.000000004,26.6667,\n"
	    "f,x,0,0.000000002,13.3333,3\n"
	    "f,x,0,0.000000001,6.6667,4\n");
}

Test(prof_imports, processes_threads_and_modes_are_told)
{
	save("p", perf);
	shows("--csv --by=thread p",
	    "function,module,samples,seconds,percent,calls,process,image,"
	    "thread,thread_name,cpu_seconds\n"
	    ",,3,0.012000000,80.0000,,8,0,9,b,\n"
	    ",,1,0.002000000,13.3333,,8,0,8,b,\n"
	    ",,1,0.001000000,6.6667,,7,0,7,a,\n");
	shows("--csv --pid=7 p", "function,module,samples,seconds,percent,"
	    "calls\nf,l.so,1,0.001000000,100.0000,\n");
	shows("--csv --program=a p", "function,module,samples,seconds,"
	    "percent,calls\nf,l.so,1,0.001000000,100.0000,\n");
	shows("--csv --by=mode p", "function,module,samples,seconds,percent,"
	    "calls,mode\n,,4,0.010000000,66.6667,,user\n"
	    ",,1,0.005000000,33.3333,,kernel\n");
	cr_expect_eq(prof("--pid=5 p"), 1);
	cr_expect_not_null(strstr(err, "no process of that number"), "%s", err);
}

/* Their places have one table of addresses: files do not mix up names. */
Test(prof_imports, files_add_up)
{
	save("p", "main;f 1\nmain;g 2\n");
	save("q", "main;g 3\nmain;h 4\nmain;f 5\n");
	shows("--csv p q", "function,module,samples,seconds,percent,calls\n"
	    "f,-,0,0.000006000,40.0000,\n"
	    "g,-,0,0.000005000,33.3333,\n"
	    "h,-,0,0.000004000,26.6667,\n");
}

Test(prof_imports, the_footer_says_what_is_no_time)
{
	save("p", "main;f 1\nmain;g 2\n");
	cr_expect_eq(prof("p"), 0);
	cr_expect_not_null(strstr(out, "1 file of another profiler: folded "
	    "stacks; no time: 3 of an unknown unit, taken as 1 us "
	    "each\n"), "%s", out);
	cr_expect_null(strstr(out, "error:"), "%s", out);
	save("q", "t 1/1 1.0: 70 cycles:\n\t10 f (/t)\n\n"
	    "t 1/1 1.0: 9 faults:\n\t10 f (/t)\n\n");
	cr_expect_eq(prof("q"), 0);
	cr_expect_not_null(strstr(out, "1 file of another profiler: text of "
	    "perf script; 1 sample; no time: 70 cycles, taken as 1 ns each; "
	    "1 sample of other events left out\n"), "%s", out);
	cr_expect_eq(prof("--read=perf:faults q"), 0);
	cr_expect_not_null(strstr(out, "; no time: 9 faults, "), "%s", out);
}

/* The process of ours is counted, that of the other is not. */
Test(prof_imports, beside_ours)
{
	save("p", perf);
	put("own", 42, 10);
	cr_expect_eq(prof("--verbose p own"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\n1 file of another profiler: text of "
	    "perf script; 5 samples of cpu-clock\n"), "%s", out);
	cr_expect_not_null(strstr(out, "\n1 file, 1 process, 1 thread\n"),
	    "%s", out);
}

static const char costs[] =
    "version: 1\nevents: Ir\nob=/a\nfn=main\n1 5\ncfn=f\ncalls=3 1\n1 100\n"
    "fn=f\n9 95\n";

/* The inclusive cost of a call is charged to nobody twice. */
Test(prof_imports, calls_have_no_stacks)
{
	save("c", costs);
	shows("--csv c", "function,module,samples,seconds,percent,calls\n"
	    "f,a,0,0.000000095,95.0000,3\n"
	    "main,a,0,0.000000005,5.0000,\n");
	cr_expect_eq(prof("--graph c"), 0);
	cr_expect_not_null(strstr(out, "3    -> f [a]\n"), "%s", out);
	cr_expect_eq(prof("--tree c"), 1);
	cr_expect_str_eq(err, "prof: the files have no call stacks; --graph "
	    "shows their calls\n");
}

/* Names are compared as they are shown, and where one has no modules alone. */
Test(prof_imports, is_compared_by_what_is_shown)
{
	save("p", "t 1/1 1.0: 2000 cpu-clock:\n\t10 a::b (/t)\n\n");
	save("q", "main;a::b 5\n");
	cr_expect_eq(prof("--diff p q"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "Name\n   +0.000"), "%s", out);
	cr_expect_eq(prof("--csv --diff p q"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "a::b,0.000002000,0.000005000,"),
	    "%s", out);
}

/*
 * Right lines are shown, wrong ones are counted and named, and the exit status
 * is 1.
 */
Test(prof_imports, a_line_is_lost_not_a_file)
{
	save("p", "main;f 1\nmain;g\nmain;h 2\n");
	cr_expect_eq(prof("--csv p"), 1);
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls\n"
	    "h,-,0,0.000002000,66.6667,\nf,-,0,0.000001000,33.3333,\n");
	cr_expect_str_eq(err, "prof: p: 1 line is left out: a folded stack has "
	    "no number at its end in line 2\n");
	cr_expect_eq(prof("p"), 1);
	cr_expect_not_null(strstr(out, "\nleft out: 1 line of p, line 2: a "
	    "folded stack has no number at its end\n"), "%s", out);
	/* A sum that would overflow loses what does not fit. */
	save("q", "t 1/1 1.0: 4 cycles:\n\t10 f (/t)\n\n"
	    "t 1/1 1.0: 9000000000000000000 cycles:\n\t10 g (/t)\n\n"
	    "t 1/1 1.0: 18000000000000000000 cycles:\n\t10 h (/t)\n\n");
	cr_expect_eq(prof("--csv q"), 1);
	cr_expect_str_eq(err, "prof: q: 2 lines are left out; the first: the "
	    "counts are too large in line 4\n");
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls\n"
	    "f,t,1,0.000000004,100.0000,\n");
}

/* If hardly a line is right, the file is of another kind. */
Test(prof_imports, a_file_of_another_kind_is_refused)
{
	save("p", "main;f 1\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
	cr_expect_eq(prof("--read=folded p"), 1);
	cr_expect_str_eq(out, "");
	cr_expect_str_eq(err, "prof: p: a folded stack has no number at its "
	    "end in line 2; name its format with --read\n");
}

/*
 * A table has signs; parts of a whole have none, and what is left out is named.
 */
Test(prof_imports, differences_are_below_zero)
{
	static const char below[] = "\nleft out: 1 path below zero, as in a "
	    "difference, -0.000004000 s in all: read -0.000004000 s; shares "
	    "are of what is above\n";

	save("p", "main;work 10 20\nmain;read 5 1\nmain;up;work 3 1\n");
	shows("--csv p", "function,module,samples,seconds,percent,calls\n"
	    "work,-,0,0.000008000,66.6667,\n"
	    "read,-,0,-0.000004000,-33.3333,\n");
	cr_expect_eq(prof("p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "; no time: 4 of an unknown unit, taken "
	    "as 1 us each\n"), "%s", out);
	cr_expect_not_null(strstr(out, "\nsome times are below zero, as in a difference: "
	    "shares are of the sum without signs\n"), "%s", out);
	save("p", "main;work 10 20\nmain;read 5 1\n");
	cr_expect_eq(prof("--tree p"), 1);
	cr_expect_not_null(strstr(out, below), "%s", out);
	cr_expect_str_eq(err, "prof: 1 place of a difference is below zero, "
	    "and left out\n");
	cr_expect_eq(prof("--callers p"), 1);
	cr_expect_not_null(strstr(out, below), "%s", out);
	cr_expect_eq(prof("--write=folded -o f p"), 1);
	cr_expect_str_eq(err, "prof: 1 place of a difference is below zero, "
	    "and left out\n");
	shows("--csv f", "function,module,samples,seconds,percent,calls\n"
	    "work,-,0,0.000010000,100.0000,\n");
	/* Places of one function and of its callers are netted first. */
	save("q", "events: ns\nfn=f\n1 50\n2 -30\n3 7\nfn=g\n4 -5\n5 1\n");
	cr_expect_eq(prof("--write=pprof -o f q"), 1);
	cr_expect_str_eq(err, "prof: 1 place of a difference is below zero, "
	    "and left out\n");
	shows("--csv f", "function,module,samples,seconds,percent,calls\n"
	    "f,-,0,0.000000027,100.0000,\n");
	cr_expect_eq(prof("--csv --diff q f"), 1);
	cr_expect_not_null(strstr(out, "f,-,0.000000027,"
	    "0.000000027,0.000000000,"), "%s", out);
}
