/* Context: O.  Tests of core/model/base/embedded_names.c. */
#include "base/embedded_names.h"

#include <criterion/criterion.h>
#include <string.h>

#define NONE UINT32_MAX

static struct embedded_names g;

static void
teardown(void)
{
	embedded_names_free(&g);
}

TestSuite(embedded_names, .fini = teardown);

static void
add(uint32_t module, uint32_t process, uint64_t address, const char *name,
    const char *file)
{
	const struct lines_frame frame = { .file = file, .line = 7 };
	const struct embedded_names_place place = {
		.module = module, .process = process, .address = address,
		.start = address & ~0xffull, .name = name, .count =
		    file != NULL,
	};

	cr_assert_eq(embedded_names_add(&g, &place, &frame), 0);
}

Test(embedded_names, names_by_module_process_and_address)
{
	struct symbol asked[] = { { .address = 0x110 }, { .address = 0x120 } };
	bool all;

	add(3, NONE, 0x110, "one", NULL);
	add(3, NONE, 0x110, "later", NULL);
	add(3, 1, 0x120, "process", NULL);
	add(4, NONE, 0x120, "module", NULL);
	cr_assert_eq(embedded_names_fill(&g, 3, NONE, asked, 2, NULL, &all), 0);
	cr_expect_str_eq(asked[0].name, "one");
	cr_expect_eq(asked[0].start, 0x100);
	cr_expect(asked[0].start_known);
	cr_expect_null(asked[1].name);
	cr_expect(!all);
	cr_assert_eq(embedded_names_fill(&g, 3, 1, asked, 2, NULL, &all), 0);
	cr_expect_str_eq(asked[1].name, "process");
	cr_expect(all, "one kept its name");
}

Test(embedded_names, what_is_known_stays)
{
	struct symbol asked[] = { { .address = 1, .name = "mine", .start =
	    9 } };
	bool all;

	add(3, NONE, 1, "theirs", NULL);
	cr_assert_eq(embedded_names_fill(&g, 3, NONE, asked, 1, NULL, &all), 0);
	cr_expect_str_eq(asked[0].name, "mine");
	cr_expect_eq(asked[0].start, 9);
}

Test(embedded_names, lines_where_there_are_none)
{
	struct symbol asked[] = { { .address = 1 }, { .address = 2 } };
	struct lines l = { .count = 0 };
	bool all;

	add(3, NONE, 2, "f", "a.c");
	cr_assert_eq(embedded_names_fill(&g, 3, NONE, asked, 2, &l, &all), 0);
	cr_assert_eq(l.count, 2);
	cr_expect_eq(l.places[0].count, 0);
	cr_assert_eq(l.places[1].count, 1);
	cr_expect_str_eq(l.frames[l.places[1].first].file, "a.c");
	cr_expect_eq(l.frames[l.places[1].first].line, 7);
	/* Those of the module itself stay. */
	l.frames[0].file = "own.c";
	cr_assert_eq(embedded_names_fill(&g, 3, NONE, asked, 2, &l, &all), 0);
	cr_expect_eq(l.frame_count, 1);
	lines_free(&l);
}

Test(embedded_names, thousands)
{
	struct symbol asked[1000] = { { .address = 0 } };
	bool all;

	for (uint64_t i = 0; i < 5000; i++)
		add(3, NONE, i * 16, "f", NULL);
	for (uint64_t i = 0; i < 1000; i++)
		asked[i].address = i * 5 * 16;
	cr_assert_eq(embedded_names_fill(&g, 3, NONE, asked, 1000, NULL, &all),
	    0);
	cr_expect(all);
}
