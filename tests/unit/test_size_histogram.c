/* Context: O.  Tests of core/view/heap/size_histogram.c. */
#include "heap/size_histogram.h"

#include <criterion/criterion.h>

static struct model m;

Test(size_histogram, half_of_no_blocks_is_nowhere)
{
	cr_expect_eq(size_histogram_median(&m), FORMAT_SIZES);
}

Test(size_histogram, one_block_is_half_of_all)
{
	m.sizes[5] = 1;
	cr_expect_eq(size_histogram_median(&m), 5);
}

Test(size_histogram, half_of_the_blocks_are_in_or_below_the_class)
{
	m.sizes[2] = 2;
	m.sizes[7] = 2;
	cr_expect_eq(size_histogram_median(&m), 2);
	m.sizes[7] = 3;
	cr_expect_eq(size_histogram_median(&m), 7);
}
