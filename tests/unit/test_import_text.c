/* Context: O.  Tests of core/import: folded stacks. */
#include "imports.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(folded, reads_names_that_have_blanks)
{
	imports_is(IMPORT_FOLDED, "main;f(int, char);g 12\n\nmain 3\r\n\n;;a 1",
	    "0 of 12: g <f(int, char) <main\n"
	    "0 of 3: main\n"
	    "0 of 1: a < <\n");
	cr_expect_eq(imports_x.each_ns, 1000);
	cr_expect(imports_x.moduleless);
	cr_expect_null(imports_x.unit.at);
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
		cr_expect_null(imports_text(others[i], IMPORT_NONE, NULL,
		    &imports_x, &imports_f), "%s", others[i]);
		cr_expect_null(imports_f.what, "%s: %s", others[i], imports_f.what);
	}
	imports_wrong(IMPORT_FOLDED, "main;a\n",
	    "a folded stack has no number at its end", 1);
}

Test(folded, loses_a_line_not_a_file)
{
	static const char what[] = "a folded stack has no number at its end";
	static const char zero[] = "main;a 3\nb\0c 7\nb;a 4\n";

	imports_left(IMPORT_NONE, "Attaching 1 probe...\nmain;a 3\nb;a 4\nmain;",
	    "0 of 3: a <main\n0 of 4: a <b\n", what, 1, 2);
	cr_expect_str_eq(imports_read(zero, sizeof(zero) - 1, IMPORT_NONE, NULL,
	    &imports_x, &imports_f), "0 of 3: a <main\n0 of 4: a <b\n");
	cr_expect_eq(imports_x.skipped.first, 2);
	imports_left(IMPORT_FOLDED, "a 1\nb 99999999999999999999\nb\0012 3\n",
	    "0 of 1: a\n", what, 2, 2);
	imports_left(IMPORT_FOLDED, "a 1\nb\033[31m 3\n", "0 of 1: a\n",
	    "a folded stack has a control character", 2, 1);
	imports_wrong(IMPORT_FOLDED, "a 1\nb\nb\nb\nb\nb\nb\nb\nb\nb\nb\n", what, 2);
}

/* Editors put it there; it is no part of the first name. */
Test(folded, the_mark_of_utf8_is_no_text)
{
	imports_is(IMPORT_FOLDED, "\xef\xbb\xbfmain;a 3\n", "0 of 3: a <main\n");
	imports_is(IMPORT_CALLGRIND, "\xef\xbb\xbf" "events: Ir\nfn=f\n1 2\n",
	    "0 of 2: f :1\n");
	imports_is(IMPORT_PERF, "\xef\xbb\xbft 35/36 1.0: 4 cpu-clock: \n"
	    "\t61 f (/t)\n", "1 of 4: f (/t) by 35/36 t\n");
}

/* Three decimals are kept; a file without any is in whole numbers. */
Test(folded, reads_decimals)
{
	imports_is(IMPORT_FOLDED, "m;a 0.156\nm;b 12.5\nm;c 3\nm;d 0.00049\n"
	    "m;e -1.9995\n",
	    "0 of 156: a <m\n0 of 12500: b <m\n0 of 3000: c <m\n"
	    "0 of 0: d <m\n0 of -2000: e <m\n");
	cr_expect(text_equal_str(imports_x.unit, "thousandths"));
	cr_expect_eq(imports_x.each_ns, 0);
	cr_expect_eq(imports_x.rounded, 2);
	imports_left(IMPORT_NONE, "m;a 0.1\nm;a 0.\nm;a .5\nm;a 1.2.3\nm;a 1e3\n"
	    "m;b 1\nm;b 1\nm;b 1\n", "0 of 100: a <m\n0 of 0: a <m\n"
	    "0 of 1000: b <m\n0 of 1000: b <m\n0 of 1000: b <m\n",
	    "a folded stack has no number at its end", 3, 3);
}

/* As difffolded.pl writes them: the number before, then the one now. */
Test(folded, reads_differences)
{
	imports_is(IMPORT_FOLDED, "m;a 10 20\nm;b 5 1\nm;c 0 7\n",
	    "0 of 10: a <m\n0 of -4: b <m\n0 of 7: c <m\n");
	imports_left(IMPORT_FOLDED, "m;a 10 20\nm;b 5\n", "0 of 10: a <m\n",
	    "a folded stack has one number, and others have two", 2, 1);
	/* One name that ends in a number makes no difference. */
	imports_is(IMPORT_FOLDED, "m;a 1\nm;b 2 3\nm;c 4\n",
	    "0 of 1: a <m\n0 of 3: b 2 <m\n0 of 4: c <m\n");
}
