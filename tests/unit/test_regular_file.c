/* Context: O.  Tests of opening files whose names come from outside. */
#include "base/mount_guard.h"
#include "base/regular_file.h"
#include "compile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
setup(void)
{
	compile_init();
	cr_assert_eq(chdir(compile_path("")), 0);
}

TestSuite(regular_file, .init = setup, .fini = compile_fini);

static void
expect(const char *name, int flags, int wanted)
{
	struct stat st;
	const int fd = regular_file_open(name, flags, &st);

	if (wanted != 0) {
		cr_expect_eq(fd, wanted, "%s: %s", name, strerror(-fd));
		return;
	}
	cr_expect_geq(fd, 0, "%s: %s", name, strerror(-fd));
	cr_expect_eq(st.st_size, 3, "%s", name);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
}

/* To open the FIFO would wait: the test would not end. */
Test(regular_file, other_types_are_not_opened, .timeout = 20)
{
	cr_assert_eq(compile_run("printf abc >file && ln -s file link && "
	    "mkfifo fifo && mkdir directory && ln -s fifo way"), 0);
	expect("file", 0, 0);
	expect("link", 0, 0);
	expect("link", O_NOFOLLOW, -ELOOP);
	expect("fifo", 0, -ENOEXEC);
	expect("way", 0, -ENOEXEC);
	expect("directory", 0, -ENOEXEC);
	expect("/dev/null", 0, -ENOEXEC);
	expect("none", 0, -ENOENT);
	expect("file/x", 0, -ENOTDIR);
}

Test(regular_file, nothing_in_the_own_mount_is_touched)
{
	char top[PATH_MAX];
	struct stat st;

	cr_assert_eq(compile_run("mkdir mount && printf abc >mount/file && "
	    "printf abc >file && ln -s mount/file link"), 0);
	cr_assert_not_null(realpath("mount", top));
	expect("mount/file", 0, 0);
	mount_guard_set(top);
	expect("mount/file", 0, -ELOOP);
	expect("link", 0, -ELOOP);
	expect("file", 0, 0);
	cr_expect_eq(regular_file_stat("mount/none", &st), -ELOOP);
	cr_expect_eq(regular_file_stat("mount", &st), -ELOOP);
	cr_expect_eq(regular_file_stat("file", &st), 0);
}
