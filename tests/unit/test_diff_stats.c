/* Context: O.  Tests of the error of a change between runs. */
#include "diff/diff_stats.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static struct diff_change
change(const double *before, size_t b, const double *now, size_t n,
    double variance)
{
	struct diff_values v[2] = { { 0 } };

	for (size_t i = 0; i < b; i++)
		diff_values_add(&v[0], before[i], variance);
	for (size_t i = 0; i < n; i++)
		diff_values_add(&v[1], now[i], variance);
	return diff_change_make(v, (size_t[]) { b, n });
}

Test(diff_stats, one_run_a_side_has_the_error_of_its_samples)
{
	const struct diff_change c = change((double[]) { 100 }, 1,
	    (double[]) { 160 }, 1, 200);

	cr_expect_eq(c.before, 100);
	cr_expect_eq(c.now, 160);
	cr_expect_float_eq(c.error, 20, 1e-9);
	cr_expect_not(diff_change_is_sure(&c), "exactly three errors");
}

/* Runs that agree better than their samples can are no surer than these. */
Test(diff_stats, equal_runs_have_the_error_of_all_their_samples)
{
	const double same[] = { 100, 100, 100, 100 };
	const struct diff_change c = change(same, 4, same, 4, 200);

	cr_expect_float_eq(c.error, sqrt(200 / 4.0 + 200 / 4.0), 1e-9);
}

/* Variance of both sides 100, 36 of it of samples; 4 degrees of freedom. */
Test(diff_stats, the_spread_beyond_samples_is_widened_and_added)
{
	const double before[] = { 90, 100, 110 }, now[] = { 190, 200, 210 };
	const struct diff_change c = change(before, 3, now, 3, 36);
	const double wide = 64 * (6.62 / 3) * (6.62 / 3);

	cr_expect_float_eq(c.error, sqrt(2 * 36 / 3.0 + 2 * wide / 3), 1e-9);
	cr_expect(diff_change_is_sure(&c));
}

/* The spread of the side of three runs is taken for the side of one, too. */
Test(diff_stats, one_run_against_several)
{
	const double before[] = { 90, 100, 110 };
	const struct diff_change c = change(before, 3, (double[]) { 200 }, 1,
	    0);
	const double wide = 100 * (19.21 / 3) * (19.21 / 3);

	cr_expect_float_eq(c.error, sqrt(wide / 3 + wide), 1e-9);
}

/*
 * The rule holds by trial: of runs that differ by chance alone, one change in
 * some hundreds is called sure, however few the runs are.
 */
Test(diff_stats, chance_is_rarely_sure)
{
	unsigned short seed[3] = { 1, 2, 3 };
	unsigned sure = 0;

	for (unsigned trial = 0; trial < 20000; trial++) {
		double value[6];
		struct diff_change c;

		for (unsigned i = 0; i < 6; i++) {
			double normal = -6;

			for (unsigned k = 0; k < 12; k++)
				normal += erand48(seed);
			value[i] = 1000 + 10 * normal;
		}
		c = change(value, 3, value + 3, 3, 0);
		sure += diff_change_is_sure(&c);
	}
	cr_expect_leq(sure, 100, "%u", sure);
	cr_expect_geq(sure, 20, "%u", sure);
}
