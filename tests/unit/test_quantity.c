/* Context: O.  Tests of core/view/base/quantity.c and
 * core/model/base/metric.c. */
#include "base/quantity.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char text[256];

/* Keeps in `text` what one call writes; returns the length it returned. */
#define WRITTEN(call) __extension__ ({ \
	FILE *out = fmemopen(text, sizeof(text), "w"); \
	int said = (call); \
	fclose(out); \
	said; \
})

static const char *
put_one(enum metric measure, int decimals, uint64_t n)
{
	const struct quantity u = { measure, decimals };

	cr_expect_eq(WRITTEN(quantity_put(out, &u, QUANTITY_COLUMNS, n)),
	    (int)strlen(text));
	return text;
}

static const char *
changed(enum metric measure, uint64_t before, uint64_t now)
{
	const struct quantity u = { measure, 3 };

	cr_expect_eq(WRITTEN(quantity_put_change(out, &u, 9, before, now)),
	    (int)strlen(text));
	return text;
}

Test(unit, numbers_stand_at_the_right_of_their_column)
{
	cr_expect_str_eq(put_one(METRIC_TIME, 3, 1234567890), "  1.235");
	cr_expect_str_eq(put_one(METRIC_TIME, 2, 1234567890), "   1.23");
	cr_expect_str_eq(put_one(METRIC_PEAK, 3, 0), "      0");
	cr_expect_str_eq(put_one(METRIC_PEAK, 3, 9999), "   9999");
	cr_expect_str_eq(put_one(METRIC_PEAK, 3, 10000), "  9.77K");
	cr_expect_str_eq(put_one(METRIC_LIVE, 3, 102400), "   100K");
	cr_expect_str_eq(put_one(METRIC_TOTAL, 3, 1023488), "  0.98M");
	cr_expect_str_eq(put_one(METRIC_FREED, 3, 15u << 20), "  15.0M");
	cr_expect_str_eq(put_one(METRIC_TOTAL, 3, UINT64_MAX), "  16.0E");
	cr_expect_str_eq(put_one(METRIC_BLOCKS, 3, 9999999), "9999999");
	cr_expect_str_eq(put_one(METRIC_TEMPORARY, 3, 10000000), "  10.0M");
	cr_expect_str_eq(put_one(METRIC_LIVE_BLOCKS, 3, 999499999),
	    "   999M");
	cr_expect_str_eq(put_one(METRIC_BLOCKS, 3, 999500000), "  1.00G");
}

Test(unit, changes_have_a_sign)
{
	cr_expect_str_eq(changed(METRIC_TIME, 2000000000, 500000000),
	    "   -1.500");
	cr_expect_str_eq(changed(METRIC_TIME, 0, 0), "   +0.000");
	cr_expect_str_eq(changed(METRIC_PEAK, 100, 30), "      -70");
	cr_expect_str_eq(changed(METRIC_PEAK, 0, UINT64_MAX), "   +16.0E");
	cr_expect_str_eq(changed(METRIC_BLOCKS, UINT64_MAX, 0), "   -18.4E");
}

Test(unit, sentences_say_of_what)
{
	const struct quantity time = { METRIC_TIME, 3 };
	const struct quantity live = { METRIC_LIVE, 3 };
	const struct quantity blocks = { METRIC_BLOCKS, 3 };

	WRITTEN((quantity_put_words(out, &time, 1500000000), 0));
	cr_expect_str_eq(text, "1.500 s");
	WRITTEN((quantity_put_words(out, &live, 12), 0));
	cr_expect_str_eq(text, "12 bytes live");
	WRITTEN((quantity_put_words(out, &blocks, 12), 0));
	cr_expect_str_eq(text, "12 blocks given out");
}

static void
put_fields(FILE *out, enum metric measure)
{
	const struct quantity u = { measure, 3 };
	char total[QUANTITY_NAME_ROOM], change[QUANTITY_NAME_ROOM];
	struct data_table s;

	data_table_init(&s, out, DATA_TABLE_CSV);
	data_table_column(&s, quantity_column(&u, "total_", total));
	data_table_column(&s, quantity_column(&u, "change_", change));
	quantity_field(&s, &u, UINT64_MAX);
	quantity_field_change(&s, &u, 5, 3);
	data_table_end(&s);
}

Test(unit, fields_are_exact)
{
	WRITTEN((put_fields(out, METRIC_PEAK), 0));
	cr_expect_str_eq(text, "total_peak_bytes,change_peak_bytes\n"
	    "18446744073709551615,-2\n");
	WRITTEN((put_fields(out, METRIC_TIME), 0));
	cr_expect_str_eq(text, "total_seconds,change_seconds\n"
	    "18446744073.709552765,-0.000000002\n");
}

/* Heads are as wide as the columns below them. */
Test(unit, heads_fit)
{
	for (unsigned i = 0; i < METRICS; i++) {
		const struct quantity u = { (enum metric)i, 3 };

		cr_expect_leq(strlen(quantity_head(&u)), QUANTITY_COLUMNS);
		cr_expect_leq(strlen(quantity_share_head(&u)), 6);
	}
}

Test(measure, has_a_name_and_knows_those_of_others)
{
	for (unsigned i = 0; i < METRICS; i++)
		cr_expect_eq(metric_find(metric_name(i)), i);
	cr_expect_null(metric_name(METRICS));
	cr_expect_eq(metric_find("leaked"), METRIC_LIVE);
	cr_expect_eq(metric_find("inuse_space"), METRIC_LIVE);
	cr_expect_eq(metric_find("inuse_objects"), METRIC_LIVE_BLOCKS);
	cr_expect_eq(metric_find("alloc_space"), METRIC_TOTAL);
	cr_expect_eq(metric_find("alloc_objects"), METRIC_BLOCKS);
	cr_expect_eq(metric_find("allocations"), METRIC_BLOCKS);
	cr_expect_eq(metric_find("leak"), METRICS);
	cr_expect_eq(metric_find(""), METRICS);
}

Test(measure, is_one_count_each)
{
	const struct model_heap h = {
		.live_bytes = 1, .live_blocks = 2, .peak_bytes = 3,
		.total_bytes = 4, .total_blocks = 5, .freed_bytes = 6,
		.temporary_blocks = 7,
	};

	cr_expect_eq(metric_value(METRIC_LIVE, &h), 1);
	cr_expect_eq(metric_value(METRIC_LIVE_BLOCKS, &h), 2);
	cr_expect_eq(metric_value(METRIC_PEAK, &h), 3);
	cr_expect_eq(metric_value(METRIC_TOTAL, &h), 4);
	cr_expect_eq(metric_value(METRIC_BLOCKS, &h), 5);
	cr_expect_eq(metric_value(METRIC_FREED, &h), 6);
	cr_expect_eq(metric_value(METRIC_TEMPORARY, &h), 7);
}

/* Bytes are those whose column says so. */
Test(measure, is_bytes_or_blocks)
{
	for (unsigned i = METRIC_PEAK; i < METRICS; i++)
		cr_expect_eq(metric_is_bytes((enum metric)i),
		    strstr(metric_column((enum metric)i), "_bytes") != NULL,
		    "%s", metric_name(i));
}

Test(measure, goes_round)
{
	enum metric at = METRIC_FREED;
	unsigned seen = 0;

	do {
		seen |= 1u << at;
		at = metric_next(at);
	} while (at != METRIC_FREED);
	cr_expect_eq(seen, (1u << METRICS) - (1u << METRIC_PEAK));
}
