/*
 * Context: O.  Tests of core/sampler/command.c: what is left where no command
 * can be started.
 */
#include "core/sampler/command.h"
#include "filter.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <sys/prctl.h>

/* No process can be made from here on. */
static void
refuse_fork(void)
{
	struct sock_filter code[] = {
		LD(nr),
		JEQ(SYS_clone, 0, 1),
		RET(ERRNO | EAGAIN),
		YES,
	};
	const struct sock_fprog p = { sizeof(code) / sizeof(code[0]), code };

	cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	cr_assert_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p), 0);
}

static unsigned
open_descriptors(void)
{
	DIR *all = opendir("/proc/self/fd");
	unsigned count = 0;

	cr_assert_not_null(all);
	while (readdir(all) != NULL)
		count++;
	closedir(all);
	return count;
}

Test(command_start, nothing_is_open_without_a_process)
{
	char name[] = "true", *argv[] = { name, NULL };
	const unsigned before = open_descriptors();
	struct command c = { .pid = -1 };
	struct fault f;

	refuse_fork();
	cr_expect_eq(command_start(&c, argv, NULL, &f), -EAGAIN);
	cr_expect_eq(f.errnum, EAGAIN);
	cr_expect_leq(c.pid, 0);
	cr_expect_eq(open_descriptors(), before);
}
