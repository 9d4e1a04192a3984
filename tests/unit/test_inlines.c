/* Context: O.  Tests of core/model/names/inlines.c. */
#include "names/inlines.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE, BASE, FUNCTIONS };

static struct lines_frame frames[] = {
	{ .function = "_ZN1AC4Ev", .line = 1 },
	{ .function = "_ZN1BC4Ev", .line = 2 },
	{ .function = "_ZN1AC2Ev", .line = 3 },
	{ .function = NULL, .line = 4 },
};
static struct lines_place place = { .first = 0, .count = 4 };

/*
 * A constructor that is inlined as C4 is that of a symbol, C1 or C2; one
 * without a symbol is a function of its own.
 */
Test(inlines, constructors)
{
	static const struct model_function functions[FUNCTIONS] = {
		[WHOLE] = { .name = "_ZN1AC1Ev", .named = true },
		[BASE] = { .name = "_ZN1AC2Ev", .named = true },
	};
	const struct lines l = { .places = &place, .frames = frames };
	struct model m = {
		.functions = malloc(sizeof(functions)),
		.function_count = FUNCTIONS, .function_room = FUNCTIONS,
	};
	struct model_row row = { 0 };
	struct inlines in;

	memcpy(m.functions, functions, sizeof(functions));
	cr_assert_eq(inlines_begin(&in, &m, 0, 0), 0);
	cr_assert_eq(inlines_add(&in, &l, 0, BASE, &row), 0);
	inlines_end(&in);
	cr_assert_eq(row.scopes, 4);
	cr_expect_eq(m.scopes[0].function, WHOLE);
	cr_expect_eq(m.scopes[1].function, FUNCTIONS, "a new one");
	cr_expect_str_eq(m.functions[FUNCTIONS].name, "_ZN1BC4Ev");
	cr_expect_eq(m.scopes[2].function, BASE);
	cr_expect_eq(m.scopes[3].function, BASE);
	free(m.functions);
	free(m.scopes);
}
