/*
 * Context: O. Tests of core/control/defaults_file.c: orders for who comes
 * later.
 */
#include "defaults_file.h"

#include "compile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MS	1000000u

static const struct control_client_change stop = { .state = true, .stop =
    true };
static const struct control_client_change rate = { .rate = true,
	.interval_ns = 5 * MS };
static const char *directory;
static struct format_defaults o;
static struct fault f;

static void
start(void)
{
	compile_init();
	memset(&f, 0, sizeof f);
	directory = compile_path("profiles");
	cr_assert_eq(mkdir(directory, 0700), 0);
}

TestSuite(defaults_file, .init = start, .fini = compile_fini);

static const char *
name(const char *form)
{
	static char path[4096];

	snprintf(path, sizeof path, form, directory, (unsigned)geteuid());
	return path;
}

static void
given(const struct control_client_change *c)
{
	cr_assert_eq(defaults_file_merge(directory, c, &f), 0, "%s", f.what);
	cr_assert_eq(defaults_file_read(directory, &o, &f), 0, "%s", f.what);
}

Test(defaults_file, nothing_stands_at_first)
{
	cr_expect_eq(defaults_file_read(directory, &o, &f), 0);
	cr_expect_eq(o.what, 0);
}

Test(defaults_file, one_order_beside_another)
{
	struct stat st;

	given(&stop);
	cr_expect_eq(o.what, FORMAT_D_STATE);
	cr_expect_eq(o.stop, 1);
	given(&rate);
	cr_expect_eq(o.what, FORMAT_D_STATE | FORMAT_D_RATE);
	cr_expect_eq(o.stop, 1);
	cr_expect_eq(o.interval_ns, 5 * MS);
	given(&(struct control_client_change) { .watch = "libz*" });
	cr_expect_eq(o.what, FORMAT_D_STATE | FORMAT_D_RATE | FORMAT_D_WATCH);
	cr_expect_str_eq(o.watch, "libz*");
	given(&(struct control_client_change) { .state = true });
	cr_expect_eq(o.stop, 0);
	cr_expect_eq(o.interval_ns, 5 * MS);
	cr_assert_eq(stat(name("%s/.libmon.%u"), &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0600);
}

Test(defaults_file, ends)
{
	given(&stop);
	cr_expect_eq(defaults_file_remove(directory, &f), 0);
	cr_expect_eq(defaults_file_read(directory, &o, &f), 0);
	cr_expect_eq(o.what, 0);
	cr_expect_eq(defaults_file_remove(directory, &f), 0);
	cr_expect_eq(rmdir(directory), 0, "something is left");
}

/* A writer that was killed left a file half written in the next one's way. */
Test(defaults_file, goes_over_what_a_dead_one_left)
{
	int fd = open(name("%s/.libmon.%u.new"), O_WRONLY | O_CREAT, 0400);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, "lib", 3), 3);
	close(fd);
	given(&stop);
	cr_expect_eq(o.stop, 1);
}

Test(defaults_file, what_is_no_order_is_none)
{
	FILE *out = fopen(name("%s/.libmon.%u"), "w");

	fputs("other", out);
	fclose(out);
	cr_expect_eq(defaults_file_read(directory, &o, &f), 0);
	cr_expect_eq(o.what, 0);
	given(&rate);
	cr_expect_eq(o.what, FORMAT_D_RATE);
}

Test(defaults_file, a_holder_of_the_lock_is_named)
{
	int fd = open(directory, O_RDONLY);

	cr_assert_eq(flock(fd, LOCK_EX), 0);
	cr_expect_neq(defaults_file_merge(directory, &stop, &f), 0);
	cr_expect_str_eq(f.what, "is locked by another program");
	cr_expect_neq(defaults_file_remove(directory, &f), 0);
	close(fd);
}

Test(defaults_file, no_directory)
{
	const char *none = compile_path("none");

	cr_expect_neq(defaults_file_merge(none, &stop, &f), 0);
	cr_expect_eq(f.errnum, ENOENT);
	cr_expect_neq(defaults_file_read(none, &o, &f), 0);
	cr_expect_neq(defaults_file_remove(none, &f), 0);
}
