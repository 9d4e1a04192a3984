/* Context: O.  Tests of core/format/classic/bins.h: profil's table of
 * scales. */
#include "classic/bins.h"

#include <criterion/criterion.h>

#define LOW 0x401000u

static uint64_t
slot(uint64_t scale, uint64_t slots, uint64_t pc)
{
	const struct bins b = {LOW, scale, slots, 2};

	return bins_slot(&b, pc);
}

/* The manual's examples: bytes of text that a 16-bit counter stands for. */
Test(bins, scales_of_the_manual)
{
	static const struct { uint64_t scale, bytes; } table[] = {
		{65536, 2}, {32768, 4}, {16384, 8}, {8192, 16}, {2, 65536},
		{1, 131072},
	};

	for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
		uint64_t bytes = table[i].bytes, scale = table[i].scale;

		cr_expect_eq(slot(scale, 100, LOW), 0);
		cr_expect_eq(slot(scale, 100, LOW + bytes - 1), 0, "%lu",
		    scale);
		cr_expect_eq(slot(scale, 100, LOW + bytes), 1, "%lu", scale);
		cr_expect_eq(slot(scale, 100, LOW + 99 * bytes), 99);
		cr_expect_eq(slot(scale, 100, LOW + 100 * bytes), BINS_NONE);
	}
}

/* Each slot against the formula, step by step in integers. */
Test(bins, scales_between)
{
	static const uint64_t scales[] = {3, 0x1234, 0x5555, 0xfffe, 0xffff};

	for (unsigned i = 0; i < sizeof scales / sizeof *scales; i++)
		for (uint64_t d = 0; d < 1 << 18; d++)
			cr_assert_eq(slot(scales[i], UINT64_MAX, LOW + d),
			    d / 2 * scales[i] / 65536);
}

Test(bins, ends_of_the_buffer)
{
	cr_expect_eq(slot(65536, 0, LOW), BINS_NONE, "no counter");
	cr_expect_eq(slot(65536, 1, LOW + 1), 0);
	cr_expect_eq(slot(65536, 1, LOW + 2), BINS_NONE);
	cr_expect_eq(slot(65536, 1, LOW - 1), BINS_NONE, "below the offset");
	cr_expect_eq(slot(65536, 1, 0), BINS_NONE);
}

/* No address folds back into the buffer, whatever the scale. */
Test(bins, never_wraps)
{
	const struct bins all = {0, 65536, UINT64_MAX, 2};
	const struct bins steep = {0, UINT64_MAX, 1000, 4};

	cr_expect_eq(bins_slot(&all, UINT64_MAX), UINT64_MAX / 2);
	cr_expect_eq(bins_slot(&steep, UINT64_MAX), BINS_NONE);
	cr_expect_eq(slot(1, 1, UINT64_MAX), BINS_NONE);
	cr_expect_eq(slot(2, 1, LOW + (1ull << 33)), BINS_NONE);
}

/* sprofil's: at 65536 a counter stands for as many bytes as it has. */
Test(bins, widths)
{
	for (unsigned width = 2; width <= 8; width *= 2) {
		const struct bins b = {LOW, 65536, 10, width};

		cr_expect_eq(bins_slot(&b, LOW + width - 1), 0);
		cr_expect_eq(bins_slot(&b, LOW + width), 1);
		cr_expect_eq(bins_slot(&b, LOW + 10 * width), BINS_NONE);
	}
	cr_expect_eq(bins_most(&(struct bins){.width = 2}), 65535);
	cr_expect_eq(bins_most(&(struct bins){.width = 4}), UINT32_MAX);
	cr_expect_eq(bins_most(&(struct bins){.width = 8}), UINT64_MAX);
}
