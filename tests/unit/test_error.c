/* Context: O.  Tests of core/view/error.c. */
#include "error.h"

#include <criterion/criterion.h>
#include <math.h>

#define MS	UINT64_C(1000000)

static double
points(const struct model *m, uint64_t ns, uint64_t samples, uint64_t total)
{
	double percent = -1;

	return error_of(m, ns, samples, total, false, &percent) ? percent : -1;
}

/* Wilson's interval of p in n samples: the distance of its further end. */
static double
wilson(double p, double n)
{
	const double z = 1.96, all = n + z * z;
	const double middle = (n * p + z * z / 2) / all;
	const double half = z * sqrt(n * p * (1 - p) + z * z / 4) / all;

	return 100 * fmax(middle + half - p, p - (middle - half));
}

/* All samples have the same weight: the interval of 95 % is binomial. */
Test(error, of_equal_weights)
{
	const struct model m = { .clump = 1, .mean_weight = MS };

	cr_expect_float_eq(points(&m, 250 * MS, 250, 1000 * MS),
	    wilson(0.25, 1000), 1e-9);
	cr_expect_float_eq(points(&m, 250 * MS, 250, 1000 * MS),
	    196 * sqrt(0.25 * 0.75 / 1000), 0.2);
}

/* Few samples that have all of the time do not say that no other is true. */
Test(error, of_all_of_the_time)
{
	const struct model m = { .clump = 1, .mean_weight = 300 * MS };

	cr_expect_float_eq(points(&m, 300 * MS, 1, 300 * MS), wilson(1, 1),
	    1e-9);
	cr_expect_gt(points(&m, 300 * MS, 1, 300 * MS), 79);
	cr_expect_lt(points(&m, 300000 * MS, 1000, 300000 * MS), 0.4);
	cr_expect_eq(points(&m, 0, 1, 300 * MS), 0);
}

/* One sample of a hundred carries half of the time: few are effective. */
Test(error, of_unequal_weights)
{
	const struct model m = { .clump = 10, .mean_weight = 10 * MS };

	cr_expect_float_eq(points(&m, 500 * MS, 500, 1000 * MS),
	    wilson(0.5, 100), 1e-9);
}

/* The kernel's share rests on ticks of 4 ms, the others on ticks of 1 ms. */
Test(error, of_the_share_and_of_others)
{
	const struct model m = { .clump = 1, .mean_weight = 1.3 * MS };

	cr_expect_float_eq(points(&m, 100 * MS, 25, 1000 * MS),
	    wilson(0.1, 1000 / (0.9 * 4 + 0.1 * 1.3)), 1e-9);
}

/* For samples of other profilers and of allocations only the line is known. */
Test(error, of_a_line_alone)
{
	const struct model m = { .clump = 1 };

	cr_expect_float_eq(points(&m, 250, 25, 1000), wilson(0.25, 100), 1e-9);
}

Test(error, of_what_has_no_samples)
{
	const struct model m = { .clump = 1, .mean_weight = MS };

	cr_expect_eq(points(&m, 250 * MS, 0, 1000 * MS), -1);
	cr_expect_eq(points(&m, 2000 * MS, 5, 1000 * MS), -1);
}
