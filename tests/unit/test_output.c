/* Context: O.  Tests of core/load/output.c: what became of a stream. */
#define _GNU_SOURCE
#include "output.h"

#include <criterion/criterion.h>
#include <errno.h>

/* Fails once, and leaves no errno. */
static ssize_t
fail_once(void *failed, const char *bytes, size_t count)
{
	bool *before = failed;
	const bool good = *before;

	(void)bytes;
	*before = true;
	return good ? (ssize_t)count : 0;
}

Test(output, a_write_that_failed_before_is_an_error)
{
	const cookie_io_functions_t how = { .write = fail_once };
	bool failed = false;
	FILE *out = fopencookie(&failed, "w", how);

	cr_assert_not_null(out);
	fputs("lost", out);
	fflush(out);
	cr_assert(ferror(out));
	fputs("written", out);
	errno = 0;
	cr_expect_eq(output_flush(out), EIO, "and not 0, which is success");
	fclose(out);
}

Test(output, the_reason_is_that_of_the_write)
{
	FILE *out = fopen("/dev/full", "w");

	cr_assert_not_null(out);
	fputs("x", out);
	cr_expect_eq(output_flush(out), ENOSPC);
	fclose(out);
}

Test(output, what_is_written_is_no_error)
{
	FILE *out = fopen("/dev/null", "w");

	cr_assert_not_null(out);
	fputs("x", out);
	cr_expect_eq(output_flush(out), 0);
	fclose(out);
}
