/* Context: O.  Tests of core/view/error.c. */
#include "error.h"

#include <criterion/criterion.h>
#include <math.h>

#define MS	1000000u

static double
points(const struct model *m, uint64_t ns, uint64_t samples, uint64_t total)
{
	double percent = -1;

	return error_of(m, ns, samples, total, false, &percent) ? percent : -1;
}

/* All samples have the same weight: the interval of 95 % is binomial. */
Test(error, of_equal_weights)
{
	const struct model m = { .clump = 1, .mean_weight = MS };

	cr_expect_float_eq(points(&m, 250 * MS, 250, 1000 * MS),
	    196 * sqrt(0.25 * 0.75 / 1000), 1e-9);
	cr_expect_eq(points(&m, 1000 * MS, 1000, 1000 * MS), 0);
}

/* One sample of a hundred carries half of the time: few are effective. */
Test(error, of_unequal_weights)
{
	const struct model m = { .clump = 10, .mean_weight = 10 * MS };

	cr_expect_float_eq(points(&m, 500 * MS, 500, 1000 * MS),
	    196 * sqrt(0.25 / 100), 1e-9);
}

/* The kernel's share rests on ticks of 4 ms, the others on ticks of 1 ms. */
Test(error, of_the_share_and_of_others)
{
	const struct model m = { .clump = 1, .mean_weight = 1.3 * MS };

	cr_expect_float_eq(points(&m, 100 * MS, 25, 1000 * MS),
	    196 * sqrt(0.1 * 0.9 * (0.9 * 4 + 0.1 * 1.3) / 1000), 1e-9);
}

/* For samples of other profilers and of allocations only the line is known. */
Test(error, of_a_line_alone)
{
	const struct model m = { .clump = 1 };

	cr_expect_float_eq(points(&m, 250, 25, 1000),
	    196 * sqrt(0.25 * 0.75 / 100), 1e-9);
}

Test(error, of_what_has_no_samples)
{
	const struct model m = { .clump = 1, .mean_weight = MS };

	cr_expect_eq(points(&m, 250 * MS, 0, 1000 * MS), -1);
	cr_expect_eq(points(&m, 2000 * MS, 5, 1000 * MS), -1);
}
