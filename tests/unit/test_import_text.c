/* Context: O.  Tests of core/import: folded stacks and perf script. */
#include "imports.h"

#include <criterion/criterion.h>

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

/* It has nothing to be known by: each line must be one. */
Test(folded, is_all_of_a_text_or_nothing)
{
	static const char *const others[] = {
		"", "\n \n", "main;a\n", "a 1\nb x\n", "a 1\n 2\n",
		"a 18446744073709551616\n", "a\001b 2\n", "a -1\n", "7\n",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		cr_expect_null(imports_text(others[i], IMPORT_NONE, NULL, &x,
		    &f), "%s", others[i]);
		cr_expect_null(f.what, "%s: %s", others[i], f.what);
	}
	wrong(IMPORT_FOLDED, "a 1\nmain;a\n",
	    "a folded stack has no number at its end", 2);
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
	cr_expect(text_is(x.unit, "cpu-clock"));
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
	cr_expect(text_is(x.unit, "cycles:u"));
}

Test(perf, of_the_main_thread_the_name_is_the_program)
{
	is(IMPORT_PERF, "t 35/35 cpu-clock: \n\t 61 main (/t)\n",
	    "1 of 1: main (/t) by 35/35 t t\n");
	cr_expect(text_is(x.unit, "samples"));
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

Test(perf, names_the_line_that_is_wrong)
{
	static const char what[] = "there is neither a sample of perf script "
	    "nor a frame of one";

	wrong(IMPORT_NONE, "t 35 1.0: 4 cpu-clock: \n\t61 main (/t)\nend\n",
	    what, 3);
	wrong(IMPORT_NONE, "t 35 1.0: 4 cpu-clock: \n\tmain (/t)\n", what, 2);
	wrong(IMPORT_PERF, "main;a 12\n", what, 1);
	wrong(IMPORT_PERF, "t 35 1.0: 99999999999999999999 cycles:\n", what,
	    1);
	wrong(IMPORT_PERF, "# none\n", "has no samples", 0);
	wrong(IMPORT_FOLDED, "\n", "has no stacks", 0);
}

/* What has the name of no thread, or none of its numbers, or more fields. */
Test(perf, a_period_is_no_thread)
{
	static const char what[] = "there is neither a sample of perf script "
	    "nor a frame of one";

	wrong(IMPORT_PERF, "35 1.0:  250000 cycles:\n", what, 1);
	wrong(IMPORT_PERF, "t 1.0:  250000 cycles:\n", what, 1);
	wrong(IMPORT_PERF, "t 35 U  1.0:  250000 cycles:\n", what, 1);
	is(IMPORT_PERF, ":-1    -1 [000] 1.0:  250000 cycles:\n\t61 f (/t)\n"
	    "\nt  -1/-1 1.1:  250000 cycles:\n\t61 f (/t)\n",
	    "1 of 250000: f (/t) :-1\n"
	    "1 of 250000: f (/t) t t\n");
}

Test(perf, all_have_a_period_or_none)
{
	wrong(IMPORT_PERF, "t 35 1.0: cycles:\n\t61 f (/t)\n\n"
	    "t 35 1.0: 4 cycles:\n\t61 f (/t)\n",
	    "of samples of one event some have a period, and some have none,",
	    4);
	is(IMPORT_PERF, "t 35 1.0: cycles:\n\t61 f (/t)\n\n"
	    "t 35 1.0: 4 faults:\n\t61 f (/t)\n",
	    "1 of 1: f (/t) by -1/35 t\n");
}

Test(perf, is_hurt_without_harm)
{
	imports_hurt(two, sizeof(two) - 1, IMPORT_PERF);
	imports_hurt(two, sizeof(two) - 1, IMPORT_NONE);
}
