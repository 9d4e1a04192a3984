/* Context: O.  Tests of core/view/base/sampling_error.c. */
#include "base/sampling_error.h"

#include <criterion/criterion.h>

#define MS	UINT64_C(1000000)

static double
points(const struct model *m, uint64_t ns, uint64_t samples, uint64_t total)
{
	double percent = -1;

	return sampling_error_percent(m, ns, samples, total, false, &percent) ?
	    percent : -1;
}

/*
 * Expects that q, which is `points` from p to that side, is the farthest true
 * share of which 95 of 100 measured shares of n samples include p: (p - q)^2 is
 * 1.96^2 q (1 - q) / n.
 */
static void
is_end(double p, double side, double n, double points)
{
	const double q = p + side * points / 100;

	cr_expect_gt(points, 0);
	cr_expect_float_eq(points * points / 1e4,
	    1.96 * 1.96 * q * (1 - q) / n, 1e-12,
	    "%g of %g: %g points", p, n, points);
}

/* All samples have the same weight: the interval of 95 % is binomial. */
Test(sampling_error, of_equal_weights)
{
	const struct model m = { .clump = 1, .mean_weight = MS };

	is_end(0.25, 1, 1000, points(&m, 250 * MS, 250, 1000 * MS));
	is_end(0.75, -1, 1000, points(&m, 750 * MS, 750, 1000 * MS));
}

/* A line that has all samples is not sure if these are few. */
Test(sampling_error, of_all_samples)
{
	const struct model m = { .clump = 1, .mean_weight = MS };
	const struct model other = { .clump = 1 };

	is_end(1, -1, 1, points(&m, MS, 1, MS));
	is_end(1, -1, 20, points(&other, 20, 20, 20));
	is_end(1, -1, 1000, points(&m, 1000 * MS, 1000, 1000 * MS));
}

/* One sample of a hundred carries half of the time: few are effective. */
Test(sampling_error, of_unequal_weights)
{
	const struct model m = { .clump = 10, .mean_weight = 10 * MS };

	is_end(0.5, 1, 100, points(&m, 500 * MS, 500, 1000 * MS));
}

/* The kernel's share rests on ticks of 4 ms, the others on ticks of 1 ms. */
Test(sampling_error, of_the_share_and_of_others)
{
	const struct model m = { .clump = 1, .mean_weight = 1.3 * MS };

	is_end(0.1, 1, 1000 / (0.9 * 4 + 0.1 * 1.3),
	    points(&m, 100 * MS, 25, 1000 * MS));
}

/* For samples of other profilers and of allocations only the line is known. */
Test(sampling_error, of_a_line_alone)
{
	const struct model m = { .clump = 1 };

	is_end(0.25, 1, 100, points(&m, 250, 25, 1000));
}

Test(sampling_error, of_what_has_no_samples)
{
	const struct model m = { .clump = 1, .mean_weight = MS };

	cr_expect_eq(points(&m, 250 * MS, 0, 1000 * MS), -1);
	cr_expect_eq(points(&m, 2000 * MS, 5, 1000 * MS), -1);
	cr_expect_eq(points(&m, 0, 5, 0), -1);
}
