/* Context: O.  Tests of core/export/html/html_lines.c. */
#include "html/html_lines.h"

#include <criterion/criterion.h>

Test(html_lines, finds_the_hottest_line_of_each_function)
{
	struct html_lines l = { 0 };
	uint32_t best[4];

	cr_assert_eq(html_lines_add(&l, 0, 7, 10, 5), 0);
	cr_assert_eq(html_lines_add(&l, 0, 7, 11, 4), 0);
	cr_assert_eq(html_lines_add(&l, 2, 8, 11, 1), 0);
	/* The second addition makes line 11 the hottest of function 0. */
	cr_assert_eq(html_lines_add(&l, 0, 7, 11, 2), 0);
	html_lines_hottest(&l, best, 4);
	cr_expect_eq(l.keys.all[best[0]].b, 7);
	cr_expect_eq(l.keys.all[best[0]].c, 11);
	cr_expect_eq(l.ns[best[0]], 6);
	cr_expect_eq(best[1], UINT32_MAX, "no line was added");
	cr_expect_eq(l.keys.all[best[2]].b, 8);
	cr_expect_eq(best[3], UINT32_MAX);
	html_lines_free(&l);
}

Test(html_lines, keeps_the_first_of_equals)
{
	struct html_lines l = { 0 };
	uint32_t best[1];

	for (uint32_t line = 1; line < 100; line++)
		cr_assert_eq(html_lines_add(&l, 0, 0, line, 0), 0);
	html_lines_hottest(&l, best, 1);
	cr_expect_eq(l.keys.all[best[0]].c, 1);
	html_lines_free(&l);
}
