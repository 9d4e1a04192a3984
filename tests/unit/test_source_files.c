/*
 * Context: O.  Tests of core/model/base/source_files.c and
 * core/object/base/string_pool.c.
 */
#include "base/source_files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

Test(strings, each_text_has_one_number)
{
	struct string_pool s = { .count = 0 };
	char paths[1000][24];

	for (unsigned i = 0; i < 1000; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/src/%u/f.c", i);
		cr_assert_eq(string_pool_add(&s, paths[i]), i);
	}
	for (unsigned i = 0; i < 1000; i++)
		cr_assert_eq(string_pool_add(&s, paths[i]), i);
	cr_expect_eq(s.count, 1000);
	string_pool_free(&s);
}

Test(sources, are_shown_by_their_last_part_where_that_is_enough)
{
	struct source_files s = { .shown = NULL };
	static const char *const paths[] = {
		"/a/one.c", "/a/two.c", "/b/two.c", "three.c", "/d/", "/d/e/",
		"",
	};
	static const char *const shown[] = {
		"one.c", "/a/two.c", "/b/two.c", "three.c", "/d/", "/d/e/", "",
	};

	for (unsigned i = 0; i < 7; i++)
		cr_assert_eq(string_pool_add(&s.paths, paths[i]), i);
	cr_assert_eq(source_files_finish(&s), 0);
	for (unsigned i = 0; i < 7; i++)
		cr_expect_str_eq(s.shown[i], shown[i]);
	source_files_free(&s);
}
