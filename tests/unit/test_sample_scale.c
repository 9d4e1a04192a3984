/* Context: O.  Tests of core/load/sample_scale.c. */
#include "sample_scale.h"

#include <criterion/criterion.h>

#define MS	1000000u

static struct format_header
header(uint64_t sample, uint64_t kernel, uint64_t coarse)
{
	return (struct format_header) {
		.sample_ns = sample * MS, .kernel_ns = kernel * MS,
		.coarse_ns = coarse * MS, .tick_ns = 4 * MS,
		.fine_seen = 1u << FORMAT_FINE_ON,
	};
}

/* Returns the time of all samples of a file after scaling. */
static double
scaled_ms(const struct format_header *h, uint64_t cpu_ms)
{
	const struct sample_scale s = sample_scale_of(h, cpu_ms * MS);

	return (double)(sample_scale_ns(&s, FORMAT_KERNEL, h->kernel_ns) +
	    sample_scale_ns(&s, FORMAT_USER, h->sample_ns - h->kernel_ns)) /
	    MS;
}

Test(sample_scale, takes_from_the_kernel_what_the_coarse_clock_drew)
{
	const struct format_header h = header(1100, 400, 0);
	const struct sample_scale s = sample_scale_of(&h, 1000 * MS);

	cr_expect_float_eq(scaled_ms(&h, 1000), 1000, 1e-5);
	cr_expect_float_eq(s.kernel, 0.75, 1e-9);
	cr_expect_float_eq(s.other, 1, 1e-9, "the fine clock measures");
	cr_expect_eq(s.taken_ns, 100 * MS);
	cr_expect_eq(sample_scale_ns(&s, FORMAT_KFUNC, 8 * MS), 6 * MS);
	cr_expect_eq(sample_scale_ns(&s, FORMAT_SLEEP, 8 * MS), 8 * MS);
}

Test(sample_scale, takes_from_both_parts_of_the_coarse_clock)
{
	const struct format_header h = header(1100, 100, 300);
	const struct sample_scale s = sample_scale_of(&h, 1000 * MS);

	cr_expect_float_eq(scaled_ms(&h, 1000), 1000, 1e-5);
	cr_expect_float_eq(s.kernel, 0.75, 1e-9);
	cr_expect_float_eq(s.other, 0.925, 1e-9);
}

Test(sample_scale, takes_from_all_where_that_is_not_enough)
{
	const struct format_header h = header(1100, 10, 10);

	cr_expect_float_eq(scaled_ms(&h, 1000), 1000, 1e-5);
	cr_expect_float_eq(sample_scale_of(&h, 1000 * MS).kernel, 1 / 1.1,
	    1e-9);
}

Test(sample_scale, never_adds)
{
	const struct format_header less = header(900, 400, 100);
	const struct format_header none = header(0, 0, 0);

	cr_expect_float_eq(scaled_ms(&less, 1000), 900, 1e-5);
	cr_expect_eq(sample_scale_of(&none, 1000 * MS).kernel, 1);
	cr_expect_float_eq(scaled_ms(&less, 0), 900, 1e-5,
	    "the kernel's figure is not known");
}

/* A tick hit one of several short processes and stands for all of them. */
Test(sample_scale, leaves_what_was_drawn)
{
	struct format_header h = header(4, 0, 4);

	h.fine_seen = 1u << FORMAT_FINE_NEVER;
	cr_expect_float_eq(scaled_ms(&h, 1), 4, 1e-5);
	h = header(400, 0, 400);
	h.fine_seen = 1u << FORMAT_FINE_REFUSED;
	cr_expect_float_eq(scaled_ms(&h, 360), 360, 1e-5);
}

/* A hostile file's header: parts that are larger than the whole. */
Test(sample_scale, believes_no_nonsense)
{
	const struct format_header h = header(1100, 4000, 1);
	const struct format_header over = header(1100, 600, UINT64_MAX / MS);

	cr_expect_eq(sample_scale_of(&h, 1000 * MS).kernel, 1);
	cr_expect_eq(sample_scale_of(&over, 1000 * MS).other, 1);
}
