/* Context: O.  Tests of core/runtime/base/coarse_time.c. */
#include "base/coarse_time.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <sys/auxv.h>
#include <time.h>

static uint64_t
coarse_by_libc(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

Test(coarse_time, is_that_of_the_kernel)
{
	uint64_t before, now;

	before = coarse_by_libc();
	errno = EINTR;
	now = coarse_time_now();
	cr_expect_eq(errno, EINTR);
	/* Emulators of a processor may pass no vdso to their programs. */
	if (getauxval(AT_SYSINFO_EHDR) == 0) {
		cr_expect_eq(now, 0);
		return;
	}
	cr_expect_geq(now, before);
	cr_expect_leq(now, coarse_by_libc());
}

/* A thread sees the next tick of the scheduler. */
Test(coarse_time, passes)
{
	uint64_t first;

	first = coarse_time_now();
	while (first != 0 && coarse_time_now() == first)
		;
	cr_expect_geq(coarse_time_now(), first);
}
