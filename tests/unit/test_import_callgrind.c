/* Context: O.  Tests of core/import: callgrind.out. */
#include "imports.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct import x;
static struct fault f;

#define HEAD "# callgrind format\nversion: 1\ncreator: hand\npid: 77\n" \
	"cmd:  /bin/prog -x\npart: 1\n\ndesc: I1 cache: \n\n"

static const char lines[] = HEAD
    "positions: line\nevents: Ir Dr\nsummary: 30 4\n\n"
    "ob=(1) /bin/prog\nfl=(1) a.c\nfn=(1) main\n"
    "10 5 1\n+2 7\n"
    "cfi=(2) b.c\ncfn=(2) sub\ncalls=3 40\n* 20 2\n"
    "fi=(3) inline.h\n99 4\nfe=(1)\n-1 1 2\n\n"
    "fn=(2)\nfl=(2)\n40 18\n"
    "jump=3 41\n41\njcnd=1/2 +1\n*\n\n"
    "ob=(2) ???\nfl=(4) ???\nfn=(below main)\n0 1\n"
    "cob=(1)\ncfn=(1)\ncalls=1 0\n0 29\n"
    "totals: 30 4\n";

static void
reads(const char *text, const char *choice, const char *wanted)
{
	const char *got = imports_text(text, IMPORT_NONE, choice, &x, &f);

	cr_assert_not_null(got, "%s in line %llu", f.what,
	    (unsigned long long)f.line);
	cr_expect_str_eq(got, wanted);
	cr_expect_eq(x.format, IMPORT_CALLGRIND);
}

Test(import_callgrind, reads_names_and_positions_that_are_compressed)
{
	reads(lines, NULL,
	    "0 of 5: main a.c:10 (/bin/prog) by 77/-1 prog\n"
	    "0 of 7: main a.c:12 (/bin/prog) by 77/-1 prog\n"
	    "main a.c:12 (/bin/prog) -> sub b.c:0 (/bin/prog) 3 calls, 20\n"
	    "0 of 4: main inline.h:99 (/bin/prog) by 77/-1 prog\n"
	    "0 of 1: main a.c:98 (/bin/prog) by 77/-1 prog\n"
	    "0 of 18: sub b.c:40 (/bin/prog) by 77/-1 prog\n"
	    "0 of 1: (below main) by 77/-1 prog\n"
	    "(below main) -> main (/bin/prog) 1 calls, 29\n");
	cr_expect(text_equal_str(x.unit, "Ir"));
	cr_expect_eq(x.each_ns, 0);
	cr_expect_not(x.moduleless);
}

Test(import_callgrind, takes_the_event_that_is_chosen)
{
	reads(lines, "Dr",
	    "0 of 1: main a.c:10 (/bin/prog) by 77/-1 prog\n"
	    "main a.c:12 (/bin/prog) -> sub b.c:0 (/bin/prog) 3 calls, 2\n"
	    "0 of 2: main a.c:98 (/bin/prog) by 77/-1 prog\n"
	    "(below main) -> main (/bin/prog) 1 calls, 0\n");
	cr_expect(text_equal_str(x.unit, "Dr"));
	cr_assert_null(imports_text(lines, IMPORT_NONE, "D", &x, &f));
	cr_expect_str_eq(f.what, "there is no such event");
	cr_expect_eq(f.line, 11);
}

/* Addresses and lines, each by itself relative to the line before. */
Test(import_callgrind, reads_instructions)
{
	reads("positions: instr line\nevents: ns\nfl=a.c\nfn=f\n"
	    "0x1000 5 1\n+3 * 2\n+0x10 -2 4\n"
	    "jfi=(7) far.c\njcnd=1/1 +83 +17\n* *\nfi=(7)\n* +1 8\n", NULL,
	    "0 of 1: f a.c:5\n0 of 2: f a.c:5\n0 of 4: f a.c:3\n"
	    "0 of 8: f far.c:4\n");
	cr_expect_eq(x.each_ns, 1);
}

/* The columns that a second part names hold for that part. */
Test(import_callgrind, reads_parts)
{
	reads("version: 1\nevents: Dr Ir\nfn=(1) f\n1 5 6\n"
	    "part: 2\npositions: instr\nevents: Ir\nfn=(1)\n0x10 7\n", "Ir",
	    "0 of 6: f :1\n0 of 7: f\n");
}

static void
wrong(const char *text, const char *what, uint64_t line)
{
	cr_assert_null(imports_text(text, IMPORT_CALLGRIND, NULL, &x, &f),
	    "%s", text);
	cr_assert_not_null(f.what, "%s", text);
	cr_expect_str_eq(f.what, what);
	cr_expect_eq(f.line, line, "%s: in %llu", text,
	    (unsigned long long)f.line);
}

Test(import_callgrind, names_the_line_that_is_wrong)
{
	static const char none[] =
	    "there is neither a cost nor another part of callgrind";

	wrong("main;a 12\n", none, 1);
	wrong("events:\n", "no event is named", 1);
	wrong("positions: word\n",
	    "positions must be instr and line, not these,", 1);
	wrong("1 2\n", "a cost stands before the names of events", 1);
	wrong("version: 1\n", "has no events of callgrind", 0);
}

static void
left(const char *text, const char *wanted, const char *what, uint64_t line,
    uint64_t count)
{
	const char *got = imports_text(text, IMPORT_CALLGRIND, NULL, &x, &f);

	cr_assert_not_null(got, "%s: %s", text, f.what);
	cr_expect_str_eq(got, wanted, "%s:\n%s", text, got);
	cr_assert_eq(x.skipped.count, count, "%s: %llu", text,
	    (unsigned long long)x.skipped.count);
	cr_expect_str_eq(x.skipped.what, what);
	cr_expect_eq(x.skipped.first, line, "%s: in %llu", text,
	    (unsigned long long)x.skipped.first);
}

Test(import_callgrind, loses_a_line_not_a_file)
{
	static const char none[] =
	    "there is neither a cost nor another part of callgrind";

	left("events: Ir\nfn=f\n1 x\n0x1g 2\n1 18446744073709551616\n2 3\n"
	    "Segmentation fault\n", "0 of 3: f :2\n", none, 3, 4);
	left("events: Ir\nfn=f\n1 10\n2 3 99\n-100 4\n3 5\n",
	    "0 of 10: f :1\n0 of 5: f :3\n", none, 4, 2);
	left("fn=f\n1 2\nevents: Ir\n1 3\n", "0 of 3: f :1\n",
	    "a cost stands before the names of events", 2, 1);
	left("events: Ir\n1 2\nfn=f\n1 3\n", "0 of 3: f :1\n",
	    "a cost belongs to no function", 2, 1);
}

/* Output precedes it with --callgrind-out-file=/dev/stdout. */
Test(import_callgrind, the_header_begins_anywhere)
{
	static const char none[] =
	    "there is neither a cost nor another part of callgrind";

	left("Hello\n12 monkeys\n# callgrind format\nversion: 1\n"
	    "events: Ir\nfn=f\n1 2\n", "0 of 2: f :1\n", none, 1, 2);
	reads("desc: I1 cache: 32 KiB\ncmd: a\nevents: Ir\nfl=b.c\nfn=f\n1 2\n"
	    "summary: 2\n", NULL, "0 of 2: f b.c:1 a\n");
	cr_expect_eq(x.skipped.count, 0);
	reads("event: Ir : Instructions\nevents: Ir\nfn=f\n1 2\n", NULL,
	    "0 of 2: f :1\n");
	cr_expect_null(imports_text("desc: a\nevents: b\n", IMPORT_NONE, NULL,
	    &x, &f));
}

/* A file of valgrind's that is cut off lacks its totals. */
Test(import_callgrind, names_what_is_missing_at_its_end)
{
	static const char part[] = "events: A Ir\nsummary: 9 30\nfn=f\n1 9 5\n",
	    what[] = "the costs end before their sum is reached";
	char text[200];

	snprintf(text, sizeof(text), "%s1 0 20\n", part);
	reads(text, NULL, "0 of 9: f :1\n");
	cr_expect_eq(x.skipped.count, 0);
	cr_expect_str_eq(imports_text(text, IMPORT_NONE, "Ir", &x, &f),
	    "0 of 5: f :1\n0 of 20: f :1\n");
	cr_expect_eq(x.skipped.count, 1);
	cr_expect_str_eq(x.skipped.what, what);
	cr_expect_eq(x.skipped.first, 5);
	snprintf(text, sizeof(text), "%s1 0 20\ntotals: 9 30\n", part);
	cr_assert_not_null(imports_text(text, IMPORT_NONE, "Ir", &x, &f));
	cr_expect_eq(x.skipped.count, 0);
	snprintf(text, sizeof(text), "%s%s1 0 25\n", part, part);
	cr_assert_not_null(imports_text(text, IMPORT_NONE, "Ir", &x, &f));
	cr_expect_eq(x.skipped.count, 1, "the first part");
}

/*
 * An unknown name takes no other's place, and the costs of calls are not the
 * function's.
 */
Test(import_callgrind, shows_no_number_under_another_name)
{
	left("events: Ir\nfn=(1) f\n1 2\nfn=(3)\n1 4\nfl=(9)\nfn=(1)\n1 5\n",
	    "0 of 2: f :1\n0 of 4: (3) :1\n0 of 5: f :1\n",
	    "a number stands for a name that the file does not give", 4, 2);
	left("events: Ir\nfn=f\ncfn=g\ncalls=x\n1 70\n1 2\n",
	    "0 of 2: f :1\n", "the number of calls is missing", 4, 1);
	left("events: Ir\nfn=f\ncalls=1 2\n1 70\n1 2\n",
	    "0 of 2: f :1\n", "the callee is missing", 3, 1);
	left("events: Ir\nfn=f\ncfn=g\ncalls=1 2\n1 x\n1 2\n",
	    "0 of 2: f :1\n",
	    "there is neither a cost nor another part of callgrind", 5, 1);
	/* If a line is not known, neither are those that are relative to it. */
	left("events: Ir\nfn=f\n5 1\nx 2\n+y 2\n+1 3\n* 4\n8 5\n+1 6\n",
	    "0 of 1: f :5\n0 of 3: f\n0 of 4: f\n0 of 5: f :8\n"
	    "0 of 6: f :9\n",
	    "there is neither a cost nor another part of callgrind", 4, 2);
}

/* A line that is damaged or lost gives its costs to no other function. */
Test(import_callgrind, gives_costs_of_lost_lines_to_nobody)
{
	static const char none[] =
	    "there is neither a cost nor another part of callgrind";

	left("events: Ir\nfn=f\n1 10\ncfn=h\ncalls=3 1\nfn=g\n5 100\n",
	    "0 of 10: f :1\n0 of 100: g :5\n", "the cost of calls is missing",
	    6, 1);
	left("events: Ir\nfn=f\n1 10\ncfn=h\ncalls=3 1\n",
	    "0 of 10: f :1\n", "the cost of calls is missing", 5, 1);
	left("events: Ir\nfn=f\n1 10\ncfn=h\n",
	    "0 of 10: f :1\n", "the number of calls is missing", 4, 1);
	left("events: Ir\nfn=f\n1 10\nf@=g\n1 30\nfn=h\n1 40\n",
	    "0 of 10: f :1\n0 of 40: h :1\n", none, 4, 2);
	left("events: Ir\nfn=f\n1 10\ncfn=h\n@alls=3 1\n1 30\nfn=h\n1 40\n",
	    "0 of 10: f :1\n0 of 40: h :1\n", none, 5, 2);
	left("events: Ir\nfn=f\n1 10\ncfn=h\n1 30\n1 2\nfn=h\n1 40\n",
	    "0 of 10: f :1\n0 of 2: f :1\n0 of 40: h :1\n",
	    "the number of calls is missing", 5, 1);
}

/* All parts show one event; a part without it is left out. */
Test(import_callgrind, adds_no_parts_of_other_events)
{
	reads("events: Ir Dr\nfn=f\n1 100 7\nevents: Dr Ir\nfn=g\n1 7 50\n",
	    NULL, "0 of 100: f :1\n0 of 50: g :1\n");
	left("events: Ir\nfn=f\n1 10\nevents: Dr\nfn=g\ncfn=f\ncalls=1 1\n"
	    "1 30\n1 40\nevents: Ir\nfn=h\n1 2\n",
	    "0 of 10: f :1\n0 of 2: h :1\n", "there is no such event", 4, 1);
	left("events: Ir\nfn=f\n1 10\npositions: instr bb\nevents: Ir\n"
	    "fn=g\n0x1 1 30\npositions: line\nevents: Ir\nfn=h\n1 2\n",
	    "0 of 10: f :1\n0 of 2: h :1\n",
	    "positions must be instr and line, not these,", 4, 1);
}

/* Events that count changes: memory that is freed. */
Test(import_callgrind, reads_what_is_below_zero)
{
	static const char text[] = "events: Time Memory\nfn=f\n1 120 0\n"
	    "7 340 -18432\ncfn=g\ncalls=1 0\n6 340 -18432\n8 1 n/a\n";

	reads(text, NULL, "0 of 120: f :1\n0 of 340: f :7\n"
	    "f :6 -> g 1 calls, 340\n0 of 1: f :8\n");
	cr_expect_str_eq(imports_text(text, IMPORT_NONE, "Memory", &x, &f),
	    "0 of -18432: f :7\nf :6 -> g 1 calls, -18432\n");
	cr_expect_eq(x.skipped.count, 1);
	cr_expect_eq(x.skipped.first, 8);
}

Test(import_callgrind, is_hurt_without_harm)
{
	imports_hurt(lines, sizeof(lines) - 1, IMPORT_CALLGRIND);
}
