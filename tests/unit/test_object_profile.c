/*
 * Context: O. Tests of core/model/derive/object_profile.c: time in ticks, none
 * lost.
 */
#include "derive/object_profile.h"

#include "random.h"
#include "ticks.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t rates[] = { 10000, 1000, 100 };

/* To one tick in all, whatever the parts are. */
Test(object_profile, loses_no_time)
{
	for (size_t r = 0; r < 3; r++)
		for (unsigned seed = 1; seed < 100; seed++) {
			struct ticks clock = ticks_at(rates[r]);
			uint64_t random = seed, ns = 0, ticks = 0, wanted;

			for (unsigned i = 0; i < 1000; i++) {
				uint64_t own = random_below(&random, 3000000);

				ns += own;
				ticks += ticks_whole(&clock, own);
			}
			wanted = (ns + clock.period / 2) / clock.period;
			cr_expect_eq(ticks, wanted);
		}
}

Test(object_profile, does_not_overflow)
{
	struct ticks clock = ticks_at(100);

	cr_expect_eq(ticks_whole(&clock, UINT64_MAX), UINT64_MAX / 10000000 +
	    (UINT64_MAX % 10000000 + 5000000) / 10000000);
}

static void
bins_are(const struct object_profile *e, size_t wanted, uint64_t ticks)
{
	struct object_profile_bin *bins;
	size_t count;
	uint64_t all = 0;

	cr_assert_eq(object_profile_bins(e, 1000, &bins, &count), 0);
	cr_expect_eq(count, wanted);
	for (size_t i = 0; i < count; i++) {
		all += bins[i].ticks;
		cr_expect(i == 0 || bins[i].index > bins[i - 1].index);
	}
	cr_expect_eq(all, ticks);
	free(bins);
}

/* Two bytes are a bin; what is below half a tick goes on to the next. */
Test(object_profile, makes_bins_of_two_bytes)
{
	struct object_profile_time times[] = {
		{ 0x1000, 1000000 }, { 0x1001, 2000000 }, { 0x1002, 400000 },
		{ 0x1004, 400000 }, { 0x2003, 7000000 },
	};
	struct object_profile e = { .low = 0x1000, .high = 0x3000,
		.times = times, .time_count = 5 };

	bins_are(&e, 3, 11);
	e.time_count = 0;
	bins_are(&e, 0, 0);
}

static unsigned
number(const unsigned char *bytes, size_t i)
{
	return bytes[2 * i] | (unsigned)bytes[2 * i + 1] << 8;
}

/* Ticks beyond 65535 go to the next record. */
Test(object_profile, writes_bins_with_what_lies_between)
{
	static const struct object_profile_bin bins[] = {
		{ 0, 1 }, { 5, 70000 }, { 6, 65535 }, { 9000, 131071 },
	};
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	object_profile_put_bins(f, bins, 4, 10000, 0);
	object_profile_put_bins(f, bins, 4, 10000, 65535);
	cr_assert_eq(fclose(f), 0);
	cr_assert_eq(size, 40000);
	for (size_t i = 0; i < 20000; i++) {
		unsigned wanted = i == 0 ? 1 : i == 5 || i == 6 || i == 9000 ?
		    65535 : i == 10005 ? 4465 : i == 19000 ? 65535 : 0;

		cr_expect_eq(number((unsigned char *)text, i), wanted, "%zu",
		    i);
	}
	free(text);
}
