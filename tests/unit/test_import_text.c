/* Context: O.  Tests of core/import: folded stacks and perf script. */
#include "imports.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct import x;
static struct fault f;

static void
is(enum import_format format, const char *text, const char *wanted)
{
	const char *got = imports_text(text, IMPORT_NONE, NULL, &x, &f);

	cr_assert_not_null(got, "%s: %s", text, f.what);
	cr_expect_str_eq(got, wanted);
	cr_expect_eq(x.format, format);
}

static void
wrong(enum import_format asked, const char *text, const char *what,
    uint64_t line)
{
	cr_assert_null(imports_text(text, asked, NULL, &x, &f), "%s", text);
	cr_assert_not_null(f.what, "%s", text);
	cr_expect_str_eq(f.what, what);
	cr_expect_eq(f.line, line, "%s: in %llu", text,
	    (unsigned long long)f.line);
}

/*
 * Checks what is read, and what is left out: the reason, the first line, how
 * many.
 */
static void
left(enum import_format asked, const char *text, const char *wanted,
    const char *what, uint64_t line, uint64_t count)
{
	const char *got = imports_text(text, asked, NULL, &x, &f);

	cr_assert_not_null(got, "%s: %s", text, f.what);
	cr_expect_str_eq(got, wanted, "%s:\n%s", text, got);
	cr_assert_eq(x.skipped.count, count, "%s: %llu", text,
	    (unsigned long long)x.skipped.count);
	cr_expect_str_eq(x.skipped.what, what, "%s", x.skipped.what);
	cr_expect_eq(x.skipped.first, line, "%s: %llu", text,
	    (unsigned long long)x.skipped.first);
}

Test(folded, reads_names_that_have_blanks)
{
	is(IMPORT_FOLDED, "main;f(int, char);g 12\n\nmain 3\r\n\n;;a 1",
	    "0 of 12: g <f(int, char) <main\n"
	    "0 of 3: main\n"
	    "0 of 1: a < <\n");
	cr_expect_eq(x.each_ns, 1000);
	cr_expect(x.moduleless);
	cr_expect_null(x.unit.at);
}

/*
 * The format has no mark of its own: each line must fit it, or most are paths.
 */
Test(folded, is_most_of_a_text_or_nothing)
{
	static const char *const others[] = {
		"", "\n \n", "main;a\n", "a 1\nb x\n", "a 1\n 2\n",
		"a 18446744073709551616\n", "a\001b 2\n", "a -1\n", "7\n",
		"a;b 1\nline\nline\n", "a 1.5\n",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		cr_expect_null(imports_text(others[i], IMPORT_NONE, NULL, &x,
		    &f), "%s", others[i]);
		cr_expect_null(f.what, "%s: %s", others[i], f.what);
	}
	wrong(IMPORT_FOLDED, "main;a\n",
	    "a folded stack has no number at its end", 1);
}

Test(folded, loses_a_line_not_a_file)
{
	static const char what[] = "a folded stack has no number at its end";
	static const char zero[] = "main;a 3\nb\0c 7\nb;a 4\n";

	left(IMPORT_NONE, "Attaching 1 probe...\nmain;a 3\nb;a 4\nmain;",
	    "0 of 3: a <main\n0 of 4: a <b\n", what, 1, 2);
	cr_expect_str_eq(imports_read(zero, sizeof(zero) - 1, IMPORT_NONE, NULL,
	    &x, &f), "0 of 3: a <main\n0 of 4: a <b\n");
	cr_expect_eq(x.skipped.first, 2);
	left(IMPORT_FOLDED, "a 1\nb 99999999999999999999\nb\0012 3\n",
	    "0 of 1: a\n", what, 2, 2);
	wrong(IMPORT_FOLDED, "a 1\nb\nb\nb\nb\nb\nb\nb\nb\nb\nb\n", what, 2);
}

/* Editors put it there; it is no part of the first name. */
Test(folded, the_mark_of_utf8_is_no_text)
{
	is(IMPORT_FOLDED, "\xef\xbb\xbfmain;a 3\n", "0 of 3: a <main\n");
	is(IMPORT_CALLGRIND, "\xef\xbb\xbf" "events: Ir\nfn=f\n1 2\n",
	    "0 of 2: f :1\n");
	is(IMPORT_PERF, "\xef\xbb\xbft 35/36 1.0: 4 cpu-clock: \n"
	    "\t61 f (/t)\n", "1 of 4: f (/t) by 35/36 t\n");
}

/* Three decimals are kept; a file without any is in whole numbers. */
Test(folded, reads_decimals)
{
	is(IMPORT_FOLDED, "m;a 0.156\nm;b 12.5\nm;c 3\nm;d 0.00049\n"
	    "m;e -1.9995\n",
	    "0 of 156: a <m\n0 of 12500: b <m\n0 of 3000: c <m\n"
	    "0 of 0: d <m\n0 of -2000: e <m\n");
	cr_expect(text_equal_str(x.unit, "thousandths"));
	cr_expect_eq(x.each_ns, 0);
	cr_expect_eq(x.rounded, 2);
	left(IMPORT_NONE, "m;a 0.1\nm;a 0.\nm;a .5\nm;a 1.2.3\nm;a 1e3\n"
	    "m;b 1\nm;b 1\nm;b 1\n", "0 of 100: a <m\n0 of 0: a <m\n"
	    "0 of 1000: b <m\n0 of 1000: b <m\n0 of 1000: b <m\n",
	    "a folded stack has no number at its end", 3, 3);
}

/* As difffolded.pl writes them: the number before, then the one now. */
Test(folded, reads_differences)
{
	is(IMPORT_FOLDED, "m;a 10 20\nm;b 5 1\nm;c 0 7\n",
	    "0 of 10: a <m\n0 of -4: b <m\n0 of 7: c <m\n");
	left(IMPORT_FOLDED, "m;a 10 20\nm;b 5\n", "0 of 10: a <m\n",
	    "a folded stack has one number, and others have two", 2, 1);
	/* One name that ends in a number makes no difference. */
	is(IMPORT_FOLDED, "m;a 1\nm;b 2 3\nm;c 4\n",
	    "0 of 1: a <m\n0 of 3: b 2 <m\n0 of 4: c <m\n");
}

Test(perf, reads_what_perf_script_prints)
{
	is(IMPORT_PERF,
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
	cr_expect_eq(x.each_ns, 1);
	cr_expect(text_equal_str(x.unit, "cpu-clock"));
	cr_expect_eq(x.others, 0);
	cr_expect_not(x.asleep);
}

/* Without callers a sample is one line, and its thread stands in a column. */
Test(perf, reads_samples_without_callers)
{
	is(IMPORT_PERF,
	    "       dead  35 [000] 40903.66: 4 cycles:u:  ff82 k+0x1 ([k])\n"
	    "          t  35 [000] 40903.67: 5 cycles:u:    61 main (/t)\n"
	    "          t  35 40903.67: PERF_RECORD_FORK(1:1):(2:2)\n",
	    "1 of 4: k+1 ([k]) by -1/35 dead\n"
	    "1 of 5: main (/t) by -1/35 t\n");
	cr_expect_eq(x.each_ns, 0, "cycles are no time");
	cr_expect(text_equal_str(x.unit, "cycles:u"));
}

Test(perf, of_the_main_thread_the_name_is_the_program)
{
	is(IMPORT_PERF, "t 35/35 cpu-clock: \n\t 61 main (/t)\n",
	    "1 of 1: main (/t) by 35/35 t t\n");
	cr_expect(text_equal_str(x.unit, "samples"));
	cr_expect_eq(x.each_ns, 0);
}

static const char two[] =
    "t 35 1.0: 4 cycles: \n\t61 main (/t)\n\n"
    "t 35 1.0: 5 page-faults:u: \n\t62 main (/t)\n\n";

Test(perf, takes_one_event)
{
	is(IMPORT_PERF, two, "1 of 4: main (/t) by -1/35 t\n");
	cr_expect_eq(x.others, 1);
	cr_expect_str_eq(imports_text(two, IMPORT_PERF, "page-faults", &x,
	    &f), "1 of 5: main (/t) by -1/35 t\n");
	cr_assert_null(imports_text(two, IMPORT_PERF, "cycle", &x, &f));
	cr_expect_str_eq(f.what, "has no samples of that event");
}

Test(perf, reads_lines_of_the_source)
{
	is(IMPORT_PERF, "t 35 1.0: 4 cpu-clock: \n"
	    "\t61 g (inlined)\n  t.c:12\n\t61 main (/t)\n  [t][61]\n",
	    "1 of 4: g t.c:12 ~main (/t) by -1/35 t\n");
	/* A line of a unit of debug information that has no name. */
	is(IMPORT_PERF, "t    35 2.0:     4 cpu-clock:pppH: \n"
	    "\t61 g (/t)\n  :0\n\t71 main (/t)\n  ??:?\n",
	    "1 of 4: g (/t) <main (/t) by -1/35 t\n");
}

/* perf has lost what it is in, at times: that is not the next one. */
Test(perf, inlined_in_nothing_is_a_function)
{
	is(IMPORT_PERF, "t 35 1.0: 4 cpu-clock: \n"
	    "\t61 g+0x3 (inlined)\n\t71 main (/t)\n\t81 h (inlined)\n",
	    "1 of 4: g <main (/t) <h by -1/35 t\n");
}

Test(perf, sleep_is_of_our_own)
{
	is(IMPORT_PERF, "t 1/35 1.0: 4 sleep:\n\t61 f (/t)\n\n",
	    "1 of 4: f (/t) by 1/35 t\n");
	cr_expect(x.asleep);
	cr_expect_eq(x.each_ns, 1);
}

static const char neither[] = "there is neither a sample of perf script nor a "
    "frame of one";

Test(perf, names_the_line_that_is_wrong)
{
	wrong(IMPORT_PERF, "main;a 12\n", neither, 1);
	wrong(IMPORT_PERF, "\tmain (/t)\n", neither, 1);
	wrong(IMPORT_PERF, "t 35 1.0: 99999999999999999999 cycles:\n", neither,
	    1);
	wrong(IMPORT_PERF, "# none\n", "has no samples", 0);
	wrong(IMPORT_FOLDED, "\n", "has no stacks", 0);
}

#define HEAD	"t 35/36 [001] 1.0: 4 cpu-clock: \n"
#define GOOD	HEAD "\t61 f (/t)\n\t62 main (/t)\n\n"
#define READ	"1 of 4: f (/t) <main (/t) by 35/36 t\n"

/* Foreign lines among samples: of a tracer, a warning, what 2>&1 mixed in. */
Test(perf, loses_a_line_not_a_file)
{
	left(IMPORT_NONE, "WARNING: kernel maps\n" GOOD
	    " instruction trace error type 1 time 1.5 cpu 0 pid 5 tid 5 "
	    "ip 0x7f85 code 7: Overflow packet\n" GOOD
	    "Processed 4346 events and lost 144 chunks!\n" GOOD "end\n",
	    READ READ READ, neither, 1, 4);
	/* Foreign lines can stand between the frames of a sample, too. */
	left(IMPORT_NONE, HEAD "\t61 f (/t)\nCheck IO\n\t62 main (/t)\n",
	    READ, neither, 3, 1);
	left(IMPORT_NONE, GOOD "\t61 f (/t)\n", READ, neither, 5, 1);
}

/* The last sample of a file that ends anywhere. */
Test(perf, takes_no_part_of_a_line_for_another)
{
	static const char cut[] = "a sample of perf script is cut off before "
	    "its event", frame[] = "a frame of perf script is cut off";

	left(IMPORT_NONE, GOOD "t 35/36 [001] 1.0: 12", READ, cut, 5, 1);
	left(IMPORT_NONE, GOOD "t 35/36 [001] 1.0: 4 cpu-cl", READ, neither, 5,
	    1);
	left(IMPORT_NONE, GOOD "t 35/36 [00", READ, neither, 5, 1);
	left(IMPORT_NONE, GOOD HEAD "\t61 f (/t)\n\t6", READ
	    "1 of 4: f (/t) <0xffffffffffffffff by 35/36 t\n", frame, 7, 1);
	/* The caller of a frame that is wrong does not stand in its place. */
	left(IMPORT_NONE, GOOD HEAD "\t61 f\n\t62 main (/t)\n", READ
	    "1 of 4: 0xffffffffffffffff <main (/t) by 35/36 t\n", frame, 6,
	    1);
	left(IMPORT_NONE, GOOD HEAD "\t\001\n\t62 main (/t)\n", READ
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
		is(IMPORT_PERF, text, wanted);
		snprintf(text, sizeof(text), "%s 36 1.0: 4 cpu-clock: \n"
		    "\t61 f (/t)\n\n", names[i]);
		snprintf(wanted, sizeof(wanted), "1 of 4: f (/t) by -1/36 %s\n",
		    names[i]);
		if (strchr(names[i], '7') == NULL && names[i][0] != '-' &&
		    names[i][0] != '5')
			is(IMPORT_PERF, text, wanted);
	}
	is(IMPORT_PERF, "         35/36 [001] 1.0: 4 cpu-clock: \n"
	    "\t61 f (/t)\n",
	    "1 of 4: f (/t) by 35/36 \n");
}

/* Behind a time there is no thread but a period. */
Test(perf, a_period_is_no_thread)
{
	is(IMPORT_PERF, "t 1.0:  250000 cycles:\n", "1 of 250000:  t\n");
	is(IMPORT_PERF, "a b 1.0: cycles:  ffff81000000 f (/t)\n",
	    "1 of 1: f (/t) a b\n");
	is(IMPORT_PERF, "35 1.0:  250000 cycles:\n",
	    "1 of 250000:  by -1/35 \n");
	is(IMPORT_PERF, ":-1    -1 [000] 1.0:  250000 cycles:\n\t61 f (/t)\n"
	    "\nt  -1/-1 1.1:  250000 cycles:\n\t61 f (/t)\n",
	    "1 of 250000: f (/t) :-1\n"
	    "1 of 250000: f (/t) t t\n");
}

/* Samples have the fields that -F adds, and lack those that it leaves out. */
Test(perf, reads_what_fields_there_are)
{
	is(IMPORT_PERF, "app 500 U 1.0: 4 cpu-clock:u: \n\t61 f+0x10 (/t)\n\n",
	    "1 of 4: f+16 (/t) by -1/500 app\n");
	is(IMPORT_PERF, "app 500/500 [001] KHg 1.0: 4 cpu-clock:u: \n"
	    "\t61 f\n\t401200 a::b(int, char)\n\n",
	    "1 of 4: f <a::b(int, char) by 500/500 app app\n");
	cr_expect(x.moduleless);
	is(IMPORT_PERF, "a worker 79618/79969 [010] 11994704.718048: \n"
	    "\t61 f (/t)\n\n", "1 of 1: f (/t) by 79618/79969 a worker\n");
	cr_expect(text_equal_str(x.unit, "samples"));
	is(IMPORT_PERF, "a 1/2 1.0: 70\n\t61 f (/t)\n\n",
	    "1 of 70: f (/t) by 1/2 a\n");
	cr_expect(text_equal_str(x.unit, "unnamed events"));
	is(IMPORT_PERF, "a 1/2 1.0: 4 cpu-clock:\n\t61\n\t62\n\n",
	    "1 of 4: 0x61 <0x62 by 1/2 a\n");
	is(IMPORT_PERF, "a 1/2 1.0: 4 cpu-clock:\n\tadd (/t)\n\tmain (/t)\n",
	    "1 of 4: add (/t) <main (/t) by 1/2 a\n");
	is(IMPORT_PERF, "a 1/2 1.0: 4 cpu-clock: 401110 f+0x1\n"
	    "b 1/2 1.0: 4 cpu-clock:           401110 f+0x1\n",
	    "1 of 4:  by 1/2 a\n1 of 4: f+1 by 1/2 b\n");
}

/* A number and a word with a colon are a sample if a frame follows. */
Test(perf, a_thread_and_an_event_are_enough)
{
	is(IMPORT_PERF, "java  3244 cpu-clock: \n\t    7f1e214c24d9 f (/t)\n\n",
	    "1 of 1: f (/t) by -1/3244 java\n");
	is(IMPORT_PERF, " 2351  cpu-clock:u: \n\t    116a f (/t)\n\n",
	    "1 of 1: f (/t) by -1/2351 \n");
	is(IMPORT_PERF, "a b  2366 cycles:      55726d45116a f+0x2 (/t)\n",
	    "1 of 1: f+2 (/t) by -1/2366 a b\n");
	is(IMPORT_PERF, "node-v011 31912 cpu-clock: \n"
	    "            13a80b608e0a R:[&<>] (/tmp/p.map)\n"
	    "                   dd777 v8::f(v8::A*) (/n)\n\n",
	    "1 of 1: R:[&<>] (/tmp/p.map) <v8::f(v8::A*) (/n) "
	    "by -1/31912 node-v011\n");
	is(IMPORT_PERF, "a  2366 12.5:    5025125      55726d45116a f (/t)\n",
	    "1 of 5025125: f (/t) by -1/2366 a\n");
	/* Without a frame, such words belong to a name or to another line. */
	is(IMPORT_PERF, "1 cycles: 2366 12.5: 4 cycles:      55726d45116a f "
	    "(/t)\n", "1 of 4: f (/t) by -1/2366 1 cycles:\n");
	left(IMPORT_NONE, "t 35/36 1.0: 4 cycles: \n\t61 f (/t)\n\n"
	    "pid 12 exited: 3\n", "1 of 4: f (/t) by 35/36 t\n", neither, 4,
	    1);
}

/* An address of data is no function, whatever name it has. */
Test(perf, data_is_no_code)
{
	is(IMPORT_PERF, "app 500 100.0: 1000 cpu/mem-loads,ldlat=30/P:     "
	    "7ffd00001000         68100142 |OP LOAD|LVL L1 hit|SNP None|BLK  "
	    "N/A      7           401110 work+0x10 (/opt/app)\n",
	    "1 of 1000: work+16 (/opt/app) by -1/500 app\n");
	is(IMPORT_PERF, "app 500 100.0: 1 faults:u:     7fae5d9b0000 [unknown] "
	    "(/lib/ld.so)     7fae5d9aca13 _dl_start+0x2a3 (/lib/ld.so)\n",
	    "1 of 1: _dl_start+675 (/lib/ld.so) by -1/500 app\n");
	is(IMPORT_PERF, "app 500 100.0: 1 faults:u:     7fae5d9aca13 f+0x3 "
	    "(/lib/l (1).so) ilen: 6\n",
	    "1 of 1: f+3 (/lib/l (1).so) by -1/500 app\n");
	is(IMPORT_PERF, "app 500 100.0: 1 faults:u:     7fae5d9b0000 data+0x8 "
	    "(/lib/ld.so)\n\t    7fae5d9aca13 f (/lib/ld.so)\n\n"
	    "app 500 100.0: 1 faults:u:     7fae5d9b0000 data+0x8 "
	    "(/lib/ld.so)\n\n",
	    "1 of 1: f (/lib/ld.so) by -1/500 app\n1 of 1:  by -1/500 app\n");
}

Test(perf, all_have_a_period_or_none)
{
	left(IMPORT_NONE, "t 35 1.0: cycles:\n\t61 f (/t)\n\n"
	    "t 35 1.0: 4 cycles:\n\t61 f (/t)\n",
	    "1 of 1: f (/t) by -1/35 t\n",
	    "some samples of one event have a period, and some have none,",
	    4, 1);
	is(IMPORT_PERF, "t 35 1.0: cycles:\n\t61 f (/t)\n\n"
	    "t 35 1.0: 4 faults:\n\t61 f (/t)\n",
	    "1 of 1: f (/t) by -1/35 t\n");
}

Test(perf, is_hurt_without_harm)
{
	imports_hurt(two, sizeof(two) - 1, IMPORT_PERF);
	imports_hurt(two, sizeof(two) - 1, IMPORT_NONE);
}
