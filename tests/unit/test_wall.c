/* Context: O.  Tests of core/hot/wall.c: its helper comes and goes. */
#include "wall.h"

#include "process.h"
#include "target.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void
start(void)
{
	target_init();
	target_birth();
	target_slot();
}

TestSuite(wall, .init = start, .fini = target_fini, .timeout = 60);

static long
mapped_pages(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long n = 0;

	cr_assert_not_null(f);
	cr_assert_eq(fscanf(f, "%ld", &n), 1);
	fclose(f);
	return n;
}

/* unshare(2) and setns(2) stop it, each time. */
Test(wall, leaves_nothing_mapped)
{
	long before;
	int i;

	cr_assert_eq(wall_start(), 0);
	wall_stop();
	before = mapped_pages();
	for (i = 0; i < 50; i++) {
		cr_assert_eq(wall_start(), 0);
		wall_stop();
	}
	cr_expect_lt(mapped_pages() - before, 50);
	cr_expect_eq(atomic_load(&mon->wall_tid), 0);
}

Test(wall, is_one_at_a_time)
{
	unsigned others = process_threads();

	cr_assert_eq(wall_start(), 0);
	cr_assert_eq(wall_start(), 0);
	cr_expect_eq(process_threads(), others + 1);
	wall_stop();
	cr_expect_eq(process_threads(), others);
	wall_stop();
}
