/* Context: O.  Tests of core/view/unit.c and core/model/measure.c. */
#include "unit.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char text[256];

/* What one call has written; its return value is what it said of that. */
#define WRITTEN(call) __extension__ ({ \
	FILE *out = fmemopen(text, sizeof(text), "w"); \
	int said = (call); \
	fclose(out); \
	said; \
})

static const char *
put_one(enum measure measure, int decimals, uint64_t n)
{
	const struct unit u = { measure, decimals };

	cr_expect_eq(WRITTEN(unit_put(out, &u, UNIT_COLUMNS, n)),
	    (int)strlen(text));
	return text;
}

static const char *
changed(enum measure measure, uint64_t before, uint64_t now)
{
	const struct unit u = { measure, 3 };

	cr_expect_eq(WRITTEN(unit_put_change(out, &u, 9, before, now)),
	    (int)strlen(text));
	return text;
}

Test(unit, numbers_stand_at_the_right_of_their_column)
{
	cr_expect_str_eq(put_one(MEASURE_TIME, 3, 1234567890), "  1.235");
	cr_expect_str_eq(put_one(MEASURE_TIME, 2, 1234567890), "   1.23");
	cr_expect_str_eq(put_one(MEASURE_PEAK, 3, 0), "      0");
	cr_expect_str_eq(put_one(MEASURE_PEAK, 3, 9999), "   9999");
	cr_expect_str_eq(put_one(MEASURE_PEAK, 3, 10000), "  9.77K");
	cr_expect_str_eq(put_one(MEASURE_LIVE, 3, 102400), "   100K");
	cr_expect_str_eq(put_one(MEASURE_TOTAL, 3, 1023488), "  0.98M");
	cr_expect_str_eq(put_one(MEASURE_FREED, 3, 15u << 20), "  15.0M");
	cr_expect_str_eq(put_one(MEASURE_TOTAL, 3, UINT64_MAX), "  16.0E");
	cr_expect_str_eq(put_one(MEASURE_BLOCKS, 3, 9999999), "9999999");
	cr_expect_str_eq(put_one(MEASURE_TEMPORARY, 3, 10000000), "  10.0M");
	cr_expect_str_eq(put_one(MEASURE_LIVE_BLOCKS, 3, 999499999),
	    "   999M");
	cr_expect_str_eq(put_one(MEASURE_BLOCKS, 3, 999500000), "  1.00G");
}

Test(unit, changes_have_a_sign)
{
	cr_expect_str_eq(changed(MEASURE_TIME, 2000000000, 500000000),
	    "   -1.500");
	cr_expect_str_eq(changed(MEASURE_TIME, 0, 0), "   +0.000");
	cr_expect_str_eq(changed(MEASURE_PEAK, 100, 30), "      -70");
	cr_expect_str_eq(changed(MEASURE_PEAK, 0, UINT64_MAX), "   +16.0E");
	cr_expect_str_eq(changed(MEASURE_BLOCKS, UINT64_MAX, 0), "   -18.4E");
}

Test(unit, sentences_say_of_what)
{
	const struct unit time = { MEASURE_TIME, 3 };
	const struct unit live = { MEASURE_LIVE, 3 };
	const struct unit blocks = { MEASURE_BLOCKS, 3 };

	WRITTEN((unit_say(out, &time, 1500000000), 0));
	cr_expect_str_eq(text, "1.500 s");
	WRITTEN((unit_say(out, &live, 12), 0));
	cr_expect_str_eq(text, "12 bytes live");
	WRITTEN((unit_say(out, &blocks, 12), 0));
	cr_expect_str_eq(text, "12 blocks given out");
}

static void
put_fields(FILE *out, enum measure measure)
{
	const struct unit u = { measure, 3 };
	char total[UNIT_ROOM], change[UNIT_ROOM];
	struct sheet s;

	sheet_init(&s, out, SHEET_CSV);
	sheet_column(&s, unit_column(&u, "total_", total));
	sheet_column(&s, unit_column(&u, "change_", change));
	unit_field(&s, &u, UINT64_MAX);
	unit_field_change(&s, &u, 5, 3);
	sheet_end(&s);
}

Test(unit, fields_are_exact)
{
	WRITTEN((put_fields(out, MEASURE_PEAK), 0));
	cr_expect_str_eq(text, "total_peak_bytes,change_peak_bytes\n"
	    "18446744073709551615,-2\n");
	WRITTEN((put_fields(out, MEASURE_TIME), 0));
	cr_expect_str_eq(text, "total_seconds,change_seconds\n"
	    "18446744073.709552765,-0.000000002\n");
}

/* Heads are as wide as the columns below them. */
Test(unit, heads_fit)
{
	for (unsigned i = 0; i < MEASURES; i++) {
		const struct unit u = { (enum measure)i, 3 };

		cr_expect_leq(strlen(unit_head(&u)), UNIT_COLUMNS);
		cr_expect_leq(strlen(unit_share(&u)), 6);
	}
}

Test(measure, has_a_name_and_knows_those_of_others)
{
	for (unsigned i = 0; i < MEASURES; i++)
		cr_expect_eq(measure_find(measure_name(i)), i);
	cr_expect_null(measure_name(MEASURES));
	cr_expect_eq(measure_find("leaked"), MEASURE_LIVE);
	cr_expect_eq(measure_find("inuse_space"), MEASURE_LIVE);
	cr_expect_eq(measure_find("inuse_objects"), MEASURE_LIVE_BLOCKS);
	cr_expect_eq(measure_find("alloc_space"), MEASURE_TOTAL);
	cr_expect_eq(measure_find("alloc_objects"), MEASURE_BLOCKS);
	cr_expect_eq(measure_find("allocations"), MEASURE_BLOCKS);
	cr_expect_eq(measure_find("leak"), MEASURES);
	cr_expect_eq(measure_find(""), MEASURES);
}

Test(measure, is_one_count_each)
{
	const struct model_heap h = {
		.live_bytes = 1, .live_blocks = 2, .peak_bytes = 3,
		.total_bytes = 4, .total_blocks = 5, .freed_bytes = 6,
		.temporary_blocks = 7,
	};

	cr_expect_eq(measure_of(MEASURE_LIVE, &h), 1);
	cr_expect_eq(measure_of(MEASURE_LIVE_BLOCKS, &h), 2);
	cr_expect_eq(measure_of(MEASURE_PEAK, &h), 3);
	cr_expect_eq(measure_of(MEASURE_TOTAL, &h), 4);
	cr_expect_eq(measure_of(MEASURE_BLOCKS, &h), 5);
	cr_expect_eq(measure_of(MEASURE_FREED, &h), 6);
	cr_expect_eq(measure_of(MEASURE_TEMPORARY, &h), 7);
}

/* Bytes are those whose column says so. */
Test(measure, is_bytes_or_blocks)
{
	for (unsigned i = MEASURE_PEAK; i < MEASURES; i++)
		cr_expect_eq(measure_is_bytes((enum measure)i),
		    strstr(measure_column((enum measure)i), "_bytes") != NULL,
		    "%s", measure_name(i));
}

Test(measure, goes_round)
{
	enum measure at = MEASURE_FREED;
	unsigned seen = 0;

	do {
		seen |= 1u << at;
		at = measure_next(at);
	} while (at != MEASURE_FREED);
	cr_expect_eq(seen, (1u << MEASURES) - (1u << MEASURE_PEAK));
}
