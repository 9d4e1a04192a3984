/* Context: O.  Tests of core/hot/heap/alloc_sample.c, against what libm
 * says. */
#include "heap/alloc_sample.h"

#include <criterion/criterion.h>
#include <math.h>

static uint64_t random_state = 12345;

/* The mean and the share beyond two means, of an exponential distribution. */
static void
expect_waits(uint64_t period)
{
	const int n = 1000000;
	double sum = 0, squares = 0;
	int i, beyond = 0;

	for (i = 0; i < n; i++) {
		double w = (double)alloc_sample_interval(&random_state, period);

		sum += w / n;
		squares += w * w / n;
		beyond += w > 2 * (double)period;
	}
	/* Five standard deviations; and what is less than a byte. */
	cr_expect_float_eq(sum, (double)period, 0.005 * (double)period + 1,
	    "%f", sum);
	cr_expect_float_eq(sqrt(squares - sum * sum), (double)period,
	    0.01 * (double)period + 1);
	cr_expect_float_eq(beyond / (double)n, exp(-2), 0.002);
}

Test(alloc_sample, waits_are_exponential)
{
	expect_waits(ALLOC_SAMPLE_MIN);
	expect_waits(512 << 10);
	expect_waits(ALLOC_SAMPLE_MAX);
}

/* Also from no seed, and never the same again. */
Test(alloc_sample, begins_by_itself)
{
	uint64_t none = 0, first = alloc_sample_interval(&none, 1 << 20);

	cr_expect_neq(none, 0);
	cr_expect_neq(first, alloc_sample_interval(&none, 1 << 20));
}

static void
expect_weight(uint64_t n, uint64_t period)
{
	const double p = -expm1(-(double)n / (double)period);
	const double got = (double)alloc_sample_weight(n, period) / 65536;

	cr_expect_float_eq(got * p, 1, 1e-4 + p / 65536, "%lu of %lu: %g, not "
	    "%g", (unsigned long)n, (unsigned long)period, got, 1 / p);
}

Test(alloc_sample, weights_are_what_chance_is)
{
	static const uint64_t periods[] = {
		ALLOC_SAMPLE_MIN, 4321, 512 << 10, ALLOC_SAMPLE_MAX,
	};
	unsigned i;
	uint64_t n;

	for (i = 0; i < 4; i++)
		for (n = 1; n < periods[i] << 10; n += 1 + n / 7)
			expect_weight(n, periods[i]);
	for (i = 0; i < 4; i++) {
		expect_weight(periods[i], periods[i]);
		expect_weight(periods[i] + 1, periods[i]);
		expect_weight(22 * periods[i] - 1, periods[i]);
		expect_weight(22 * periods[i], periods[i]);
		expect_weight(1ull << 47, periods[i]);
	}
}

/* All of it together: what is struck, as often as it stands for, is all. */
Test(alloc_sample, sums_are_right)
{
	const uint64_t period = 4096, sizes[] = { 1, 24, 700, 4096, 30000 };
	uint64_t until = alloc_sample_interval(&random_state, period), struck;
	double sum;
	unsigned k, i;

	for (k = 0; k < 5; k++) {
		for (struck = 0, i = 0; i < 2000000; i++) {
			if (sizes[k] <= until) {
				until -= sizes[k];
				continue;
			}
			until = alloc_sample_interval(&random_state, period);
			struck++;
		}
		sum = (double)struck * (double)alloc_sample_weight(sizes[k],
		    period) / 65536;
		cr_expect_float_eq(sum / 2e6, 1, 5 / sqrt((double)struck),
		    "of %lu bytes: %g", (unsigned long)sizes[k], sum);
	}
}
