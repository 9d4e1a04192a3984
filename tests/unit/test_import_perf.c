/* Context: O.  Tests of core/import: text of perf script. */
#include "imports.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(perf, reads_what_perf_script_prints)
{
	imports_is(IMPORT_PERF,
	    "# captured on: today\n#\n"
	    "a.out  2483 40626.883461:     250000 cpu-clock: \n"
	    "\t           14f02 f.constprop.0+0x12 (/lib/a b (1).so)\n"
	    "\t       210000000 [unknown] ([unknown])\n"
	    "\n"
	    "Web Content 7/8 [001] 40626.9:  9 cpu-clock:\n"
	    "\t            11b2 inner+0x22 (inlined)\n"
	    "\t            11b2 a::b(int)+0x22 (/t)\n"
	    "\t            1069 [unknown] (/t (deleted))\n",
	    "1 of 250000: f.constprop.0+18 (/lib/a b (1).so) <0x210000000 "
	    "by -1/2483 a.out\n"
	    "1 of 9: inner ~a::b(int)+34 (/t) <0x1069 (/t (deleted)) "
	    "by 7/8 Web Content\n");
	cr_expect_eq(imports_x.each_ns, 1);
	cr_expect(text_equal_str(imports_x.unit, "cpu-clock"));
	cr_expect_eq(imports_x.others, 0);
	cr_expect_not(imports_x.asleep);
}

/* Without callers a sample is one line, and its thread stands in a column. */
Test(perf, reads_samples_without_callers)
{
	imports_is(IMPORT_PERF,
	    "       dead  35 [000] 40903.66: 4 cycles:u:  ff82 k+0x1 ([k])\n"
	    "          t  35 [000] 40903.67: 5 cycles:u:    61 main (/t)\n"
	    "          t  35 40903.67: PERF_RECORD_FORK(1:1):(2:2)\n",
	    "1 of 4: k+1 ([k]) by -1/35 dead\n"
	    "1 of 5: main (/t) by -1/35 t\n");
	cr_expect_eq(imports_x.each_ns, 0, "cycles are no time");
	cr_expect(text_equal_str(imports_x.unit, "cycles:u"));
}

Test(perf, of_the_main_thread_the_name_is_the_program)
{
	imports_is(IMPORT_PERF, "t 35/35 cpu-clock: \n\t 61 main (/t)\n",
	    "1 of 1: main (/t) by 35/35 t t\n");
	cr_expect(text_equal_str(imports_x.unit, "samples"));
	cr_expect_eq(imports_x.each_ns, 0);
}

static const char two[] =
    "t 35 1.0: 4 cycles: \n\t61 main (/t)\n\n"
    "t 35 1.0: 5 page-faults:u: \n\t62 main (/t)\n\n";

Test(perf, takes_one_event)
{
	imports_is(IMPORT_PERF, two, "1 of 4: main (/t) by -1/35 t\n");
	cr_expect_eq(imports_x.others, 1);
	cr_expect_str_eq(imports_text(two, IMPORT_PERF, "page-faults",
	    &imports_x, &imports_f), "1 of 5: main (/t) by -1/35 t\n");
	cr_assert_null(imports_text(two, IMPORT_PERF, "cycle", &imports_x,
	    &imports_f));
	cr_expect_str_eq(imports_f.what, "has no samples of that event");
}

Test(perf, reads_lines_of_the_source)
{
	imports_is(IMPORT_PERF, "t 35 1.0: 4 cpu-clock: \n"
	    "\t61 g (inlined)\n  t.c:12\n\t61 main (/t)\n  [t][61]\n",
	    "1 of 4: g t.c:12 ~main (/t) by -1/35 t\n");
	/* A line of a unit of debug information that has no name. */
	imports_is(IMPORT_PERF, "t    35 2.0:     4 cpu-clock:pppH: \n"
	    "\t61 g (/t)\n  :0\n\t71 main (/t)\n  ??:?\n",
	    "1 of 4: g (/t) <main (/t) by -1/35 t\n");
}

/* perf has lost what it is in, at times: that is not the next one. */
Test(perf, inlined_in_nothing_is_a_function)
{
	imports_is(IMPORT_PERF, "t 35 1.0: 4 cpu-clock: \n"
	    "\t61 g+0x3 (inlined)\n\t71 main (/t)\n\t81 h (inlined)\n",
	    "1 of 4: g <main (/t) <h by -1/35 t\n");
}

Test(perf, sleep_is_of_our_own)
{
	imports_is(IMPORT_PERF, "t 1/35 1.0: 4 sleep:\n\t61 f (/t)\n\n",
	    "1 of 4: f (/t) by 1/35 t\n");
	cr_expect(imports_x.asleep);
	cr_expect_eq(imports_x.each_ns, 1);
}

static const char neither[] = "there is neither a sample of perf script nor a "
    "frame of one";

Test(perf, names_the_line_that_is_wrong)
{
	imports_wrong(IMPORT_PERF, "main;a 12\n", neither, 1);
	imports_wrong(IMPORT_PERF, "\tmain (/t)\n", neither, 1);
	imports_wrong(IMPORT_PERF, "t 35 1.0: 99999999999999999999 cycles:\n", neither,
	    1);
	imports_wrong(IMPORT_PERF, "# none\n", "has no samples", 0);
	imports_wrong(IMPORT_FOLDED, "\n", "has no stacks", 0);
}

#define HEAD	"t 35/36 [001] 1.0: 4 cpu-clock: \n"
#define GOOD	HEAD "\t61 f (/t)\n\t62 main (/t)\n\n"
#define READ	"1 of 4: f (/t) <main (/t) by 35/36 t\n"

/* Foreign lines among samples: of a tracer, a warning, what 2>&1 mixed in. */
Test(perf, loses_a_line_not_a_file)
{
	imports_left(IMPORT_NONE, "WARNING: kernel maps\n" GOOD
	    " instruction trace error type 1 time 1.5 cpu 0 pid 5 tid 5 "
	    "ip 0x7f85 code 7: Overflow packet\n" GOOD
	    "Processed 4346 events and lost 144 chunks!\n" GOOD "end\n",
	    READ READ READ, neither, 1, 4);
	/* Foreign lines can stand between the frames of a sample, too. */
	imports_left(IMPORT_NONE, HEAD "\t61 f (/t)\nCheck IO\n\t62 main (/t)\n",
	    READ, neither, 3, 1);
	imports_left(IMPORT_NONE, GOOD "\t61 f (/t)\n", READ, neither, 5, 1);
}

/* The last sample of a file that ends anywhere. */
Test(perf, takes_no_part_of_a_line_for_another)
{
	static const char cut[] = "a sample of perf script is cut off before "
	    "its event", frame[] = "a frame of perf script is cut off";

	imports_left(IMPORT_NONE, GOOD "t 35/36 [001] 1.0: 12", READ, cut, 5, 1);
	imports_left(IMPORT_NONE, GOOD "t 35/36 [001] 1.0: 4 cpu-cl", READ, neither, 5,
	    1);
	imports_left(IMPORT_NONE, GOOD "t 35/36 [00", READ, neither, 5, 1);
	imports_left(IMPORT_NONE, GOOD HEAD "\t61 f (/t)\n\t6", READ
	    "1 of 4: f (/t) <0xffffffffffffffff by 35/36 t\n", frame, 7, 1);
	/* The caller of a frame that is wrong does not stand in its place. */
	imports_left(IMPORT_NONE, GOOD HEAD "\t61 f\n\t62 main (/t)\n", READ
	    "1 of 4: 0xffffffffffffffff <main (/t) by 35/36 t\n", frame, 6,
	    1);
	imports_left(IMPORT_NONE, GOOD HEAD "\t\001\n\t62 main (/t)\n", READ
	    "1 of 4: 0xffffffffffffffff <main (/t) by 35/36 t\n", frame, 6,
	    1);
}

/* The name of a thread is whatever stands before its numbers. */
Test(perf, a_thread_has_any_name)
{
	static const char *const names[] = {
		"1.5:", "500/500", "7", "a 1.5: b", "7/8 [001]", "1 2 3", ":-1",
		"K 5", "[000]", "[kworker/0:1]", "a 7 [001]", "cycles:",
		"\303\244(x)", "-1/-1",
	};
	char text[200], wanted[200];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(text, sizeof(text), "  %s 35/36 [001] 1.0: 4 "
		    "cpu-clock: \n\t61 f (/t)\n\n", names[i]);
		snprintf(wanted, sizeof(wanted), "1 of 4: f (/t) by 35/36 %s\n",
		    names[i]);
		imports_is(IMPORT_PERF, text, wanted);
		snprintf(text, sizeof(text), "%s 36 1.0: 4 cpu-clock: \n"
		    "\t61 f (/t)\n\n", names[i]);
		snprintf(wanted, sizeof(wanted), "1 of 4: f (/t) by -1/36 %s\n",
		    names[i]);
		if (strchr(names[i], '7') == NULL && names[i][0] != '-' &&
		    names[i][0] != '5')
			imports_is(IMPORT_PERF, text, wanted);
	}
	imports_is(IMPORT_PERF, "         35/36 [001] 1.0: 4 cpu-clock: \n"
	    "\t61 f (/t)\n",
	    "1 of 4: f (/t) by 35/36 \n");
}

/* Behind a time there is no thread but a period. */
Test(perf, a_period_is_no_thread)
{
	imports_is(IMPORT_PERF, "t 1.0:  250000 cycles:\n", "1 of 250000:  t\n");
	imports_is(IMPORT_PERF, "a b 1.0: cycles:  ffff81000000 f (/t)\n",
	    "1 of 1: f (/t) a b\n");
	imports_is(IMPORT_PERF, "35 1.0:  250000 cycles:\n",
	    "1 of 250000:  by -1/35 \n");
	imports_is(IMPORT_PERF, ":-1    -1 [000] 1.0:  250000 cycles:\n\t61 f (/t)\n"
	    "\nt  -1/-1 1.1:  250000 cycles:\n\t61 f (/t)\n",
	    "1 of 250000: f (/t) :-1\n"
	    "1 of 250000: f (/t) t t\n");
}

/* Samples have the fields that -F adds, and lack those that it leaves out. */
Test(perf, reads_what_fields_there_are)
{
	imports_is(IMPORT_PERF, "app 500 U 1.0: 4 cpu-clock:u: \n\t61 f+0x10 (/t)\n\n",
	    "1 of 4: f+16 (/t) by -1/500 app\n");
	imports_is(IMPORT_PERF, "app 500/500 [001] KHg 1.0: 4 cpu-clock:u: \n"
	    "\t61 f\n\t401200 a::b(int, char)\n\n",
	    "1 of 4: f <a::b(int, char) by 500/500 app app\n");
	cr_expect(imports_x.moduleless);
	imports_is(IMPORT_PERF, "a worker 79618/79969 [010] 11994704.718048: \n"
	    "\t61 f (/t)\n\n", "1 of 1: f (/t) by 79618/79969 a worker\n");
	cr_expect(text_equal_str(imports_x.unit, "samples"));
	imports_is(IMPORT_PERF, "a 1/2 1.0: 70\n\t61 f (/t)\n\n",
	    "1 of 70: f (/t) by 1/2 a\n");
	cr_expect(text_equal_str(imports_x.unit, "unnamed events"));
	imports_is(IMPORT_PERF, "a 1/2 1.0: 4 cpu-clock:\n\t61\n\t62\n\n",
	    "1 of 4: 0x61 <0x62 by 1/2 a\n");
	imports_is(IMPORT_PERF, "a 1/2 1.0: 4 cpu-clock:\n\tadd (/t)\n\tmain (/t)\n",
	    "1 of 4: add (/t) <main (/t) by 1/2 a\n");
	imports_is(IMPORT_PERF, "a 1/2 1.0: 4 cpu-clock: 401110 f+0x1\n"
	    "b 1/2 1.0: 4 cpu-clock:           401110 f+0x1\n",
	    "1 of 4:  by 1/2 a\n1 of 4: f+1 by 1/2 b\n");
}

/* A number and a word with a colon are a sample if a frame follows. */
Test(perf, a_thread_and_an_event_are_enough)
{
	imports_is(IMPORT_PERF,
	    "java  3244 cpu-clock: \n\t    7f1e214c24d9 f (/t)\n\n",
	    "1 of 1: f (/t) by -1/3244 java\n");
	imports_is(IMPORT_PERF, " 2351  cpu-clock:u: \n\t    116a f (/t)\n\n",
	    "1 of 1: f (/t) by -1/2351 \n");
	imports_is(IMPORT_PERF, "a b  2366 cycles:      55726d45116a f+0x2 (/t)\n",
	    "1 of 1: f+2 (/t) by -1/2366 a b\n");
	imports_is(IMPORT_PERF, "node-v011 31912 cpu-clock: \n"
	    "            13a80b608e0a R:[&<>] (/tmp/p.map)\n"
	    "                   dd777 v8::f(v8::A*) (/n)\n\n",
	    "1 of 1: R:[&<>] (/tmp/p.map) <v8::f(v8::A*) (/n) "
	    "by -1/31912 node-v011\n");
	imports_is(IMPORT_PERF, "a  2366 12.5:    5025125      55726d45116a f (/t)\n",
	    "1 of 5025125: f (/t) by -1/2366 a\n");
	/* Without a frame, such words belong to a name or to another line. */
	imports_is(IMPORT_PERF, "1 cycles: 2366 12.5: 4 cycles:      55726d45116a f "
	    "(/t)\n", "1 of 4: f (/t) by -1/2366 1 cycles:\n");
	imports_left(IMPORT_NONE, "t 35/36 1.0: 4 cycles: \n\t61 f (/t)\n\n"
	    "pid 12 exited: 3\n", "1 of 4: f (/t) by 35/36 t\n", neither, 4,
	    1);
}

/* An address of data is no function, whatever name it has. */
Test(perf, data_is_no_code)
{
	imports_is(IMPORT_PERF, "app 500 100.0: 1000 cpu/mem-loads,ldlat=30/P:     "
	    "7ffd00001000         68100142 |OP LOAD|LVL L1 hit|SNP None|BLK  "
	    "N/A      7           401110 work+0x10 (/opt/app)\n",
	    "1 of 1000: work+16 (/opt/app) by -1/500 app\n");
	imports_is(IMPORT_PERF,
	    "app 500 100.0: 1 faults:u:     7fae5d9b0000 [unknown] "
	    "(/lib/ld.so)     7fae5d9aca13 _dl_start+0x2a3 (/lib/ld.so)\n",
	    "1 of 1: _dl_start+675 (/lib/ld.so) by -1/500 app\n");
	imports_is(IMPORT_PERF, "app 500 100.0: 1 faults:u:     7fae5d9aca13 f+0x3 "
	    "(/lib/l (1).so) ilen: 6\n",
	    "1 of 1: f+3 (/lib/l (1).so) by -1/500 app\n");
	imports_is(IMPORT_PERF, "app 500 100.0: 1 faults:u:     7fae5d9b0000 data+0x8 "
	    "(/lib/ld.so)\n\t    7fae5d9aca13 f (/lib/ld.so)\n\n"
	    "app 500 100.0: 1 faults:u:     7fae5d9b0000 data+0x8 "
	    "(/lib/ld.so)\n\n",
	    "1 of 1: f (/lib/ld.so) by -1/500 app\n1 of 1:  by -1/500 app\n");
}

Test(perf, all_have_a_period_or_none)
{
	imports_left(IMPORT_NONE, "t 35 1.0: cycles:\n\t61 f (/t)\n\n"
	    "t 35 1.0: 4 cycles:\n\t61 f (/t)\n",
	    "1 of 1: f (/t) by -1/35 t\n",
	    "some samples of one event have a period, and some have none,",
	    4, 1);
	imports_is(IMPORT_PERF, "t 35 1.0: cycles:\n\t61 f (/t)\n\n"
	    "t 35 1.0: 4 faults:\n\t61 f (/t)\n",
	    "1 of 1: f (/t) by -1/35 t\n");
}

Test(perf, is_hurt_without_harm)
{
	imports_hurt(two, sizeof(two) - 1, IMPORT_PERF);
	imports_hurt(two, sizeof(two) - 1, IMPORT_NONE);
}

/* "worker 1" is a name: perf prints periods in a column of their own. */
Test(perf, a_number_in_a_name_is_no_thread)
{
	imports_is(IMPORT_PERF,
	    "worker 1  2361 cpu-clock: \n\t    11a1 f (/t)\n\n",
	    "1 of 1: f (/t) by -1/2361 worker 1\n");
	imports_is(IMPORT_PERF,
	    "worker 1  2361    1000000 cpu-clock: \n\t    11a1 f (/t)\n\n",
	    "1 of 1000000: f (/t) by -1/2361 worker 1\n");
}

/* perf does not pad a thread's name where callers follow. */
Test(perf, a_thread_can_be_named_like_a_comment)
{
	imports_is(IMPORT_PERF, "# captured on : 1 2.5: today\n#\n"
	    "#io 100/101 [000]  1.000002:    2000000 cpu-clock: \n"
	    "\t    402000 g (/t)\n#io 100/101 is no sample\n"
	    "t 100/100 [000]  1.000003:    1000000 cpu-clock: \n"
	    "\t    401000 f (/t)\n",
	    "1 of 2000000: g (/t) by 100/101 #io\n"
	    "1 of 1000000: f (/t) by 100/100 t t\n");
}
