/* Context: O.  Tests of core/runtime/options: where, and for whom. */
#include "environ.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* monitor(3C): set but empty is no profile at all. */
Test(store_path, profdir_empty)
{
	environ_read("", "hz=0,dir=/x,msg=yes");
	cr_expect_eq(got->config.place, CONFIG_PLACE_OFF);
	cr_expect_str_eq(got->said, "");
}

/* The environment that clearenv(3) leaves; a program may load us then. */
Test(store_path, no_environment)
{
	char here[PATH_MAX];

	cr_assert_eq(clearenv(), 0);
	cr_assert_null(environ);
	environ_read(NULL, NULL);
	cr_assert_not_null(getcwd(here, sizeof here));
	cr_expect_eq(got->config.place, CONFIG_PLACE_PLAIN);
	cr_expect_str_eq(got->config.directory, here);
}

static void
directory(const char *profdir, const char *want)
{
	environ_read(profdir, NULL);
	cr_expect_eq(got->config.place, CONFIG_PLACE_DIR);
	cr_expect_str_eq(got->config.directory, want);
}

Test(store_path, profdir)
{
	cr_assert_eq(chdir("/usr/bin"), 0);
	directory("/a/b", "/a/b");
	directory("/a/b///", "/a/b");
	directory("c", "/usr/bin/c");
	directory("./c/", "/usr/bin/./c");
	directory("..", "/usr/bin/..");
	directory("/", "");
	directory("//", "");
	cr_assert_eq(chdir("/"), 0);
	directory("c", "/c");
}

Test(store_path, a_directory_that_does_not_fit)
{
	static char path[PATH_MAX + 8];

	memset(path, 'x', sizeof path - 1);
	path[0] = '/';
	environ_read(path, NULL);
	cr_expect_eq(got->config.place, CONFIG_PLACE_OFF);
	path[PATH_MAX - 1] = '\0';
	environ_read(path, NULL);
	cr_expect_eq(got->config.place, CONFIG_PLACE_DIR);
	cr_expect_str_eq(got->config.directory, path);
}

Test(store_path, a_directory_that_is_gone)
{
	char path[] = "/tmp/libmon-options-XXXXXX";

	cr_assert_not_null(mkdtemp(path));
	cr_assert_eq(chdir(path), 0);
	cr_assert_eq(rmdir(path), 0);
	environ_read(NULL, NULL);
	cr_expect_eq(got->config.place, CONFIG_PLACE_OFF);
	environ_read("c", NULL);
	cr_expect_eq(got->config.place, CONFIG_PLACE_OFF);
	cr_expect_str_eq(got->said, "");
	environ_read("c", "msg=yes");
	cr_expect_str_eq(got->said, "libmon: c: no profile could be written: "
	    "the current directory is gone, or the name is too long\n");
	directory("/a", "/a");
}

Test(store_path, dir_is_stronger_than_profdir)
{
	environ_accepts("dir=/usr");
	cr_expect_str_eq(got->config.directory, "/usr");
	environ_read(NULL, "dir=/usr");
	cr_expect_eq(got->config.place, CONFIG_PLACE_DIR);
	cr_expect_str_eq(got->config.directory, "/usr");
	environ_refuses("dir=", "dir= ignored; wanted a directory");
	cr_expect_str_eq(got->config.directory, "/tmp");
}

Test(store_path, file)
{
	char text[5 + 257] = "file=";

	environ_read("/tmp", "file=x-%p");
	cr_expect_eq(got->config.place, CONFIG_PLACE_FILE);
	cr_expect_str_eq(got->config.directory, "/tmp");
	cr_expect_str_eq(got->config.pattern, "x-%p");
	environ_read("/tmp", "file=/abs/x");
	cr_expect_eq(got->config.place, CONFIG_PLACE_FILE);
	cr_expect_str_eq(got->config.directory, "");
	cr_expect_str_eq(got->config.pattern, "abs/x",
	    "the slash is put before");
	environ_read("/tmp", "dir=/usr,file=//abs/x");
	cr_expect_str_eq(got->config.directory, "");
	cr_expect_str_eq(got->config.pattern, "abs/x");
	cr_assert_eq(chdir("/usr"), 0);
	environ_read(NULL, "file=x");
	cr_expect_str_eq(got->config.directory, "/usr");
	memset(text + 5, 'x', 255);
	environ_read("/tmp", text);
	cr_expect_str_eq(got->config.pattern, text + 5);
	text[5 + 255] = 'x';
	environ_read("/tmp", text);
	cr_expect_eq(got->config.place, CONFIG_PLACE_DIR);
	cr_expect_neq(got->said[0], '\0');
	environ_refuses("file=",
	    "file= ignored; wanted a file name, %p %n %h %t %%");
}

Test(store_path, the_program)
{
	const char *execfn = (const char *)getauxval(AT_EXECFN);
	const char *slash = strrchr(execfn, '/');

	environ_accepts(NULL);
	cr_expect_str_eq(got->config.progname, slash == NULL ? execfn :
	    slash + 1);
	cr_expect_neq(got->config.progname[0], '\0');
}

static const char *name;

static void
placed(const char *form, enum config_place want)
{
	char option[512];

	snprintf(option, sizeof option, form, name);
	environ_read("/tmp", option);
	cr_expect_eq(got->config.place, want, "%s", option);
	cr_expect_str_eq(got->said, "");
}

static void
on(const char *form)
{
	placed(form, CONFIG_PLACE_DIR);
}

static void
off(const char *form)
{
	placed(form, CONFIG_PLACE_OFF);
}

Test(store_path, which_programs)
{
	char shorter[128], longer[128];

	environ_accepts(NULL);
	name = strdup(got->config.progname);
	cr_assert_gt(strlen(name), 2);
	on("only=%s");
	off("only=x%s");
	off("only=%sx");
	on("only=a:%s:b");
	on("only=a:%s");
	off("only=a:b");
	on("only=*");
	on("only=*%s*");
	on("only=%s*");
	off("only=%s?");
	off("only=?%s");
	off("exclude=%s");
	off("exclude=a:%s");
	off("exclude=a*:%s:*b");
	on("exclude=a::b");
	on("exclude=:");
	off("exclude=*");
	off("only=%s,exclude=*");
	on("only=*,exclude=x%s");
	snprintf(shorter, sizeof shorter, "only=*%s", name + 1);
	on(shorter);
	snprintf(longer, sizeof longer, "only=??%s", name + 2);
	on(longer);
	longer[5] = '*';
	on(longer);
	longer[6] = '\0';
	on(longer);
	/* The shortest match of a star is not always the right one. */
	snprintf(longer, sizeof longer, "only=*%c", name[strlen(name) - 1]);
	on(longer);
}

/* Children of a profiled process: their parent has complained. */
static int
profiled_parent(const char *profopts)
{
	char path[] = "/tmp/libmon-options-XXXXXX", file[64];
	int fd;

	cr_assert_not_null(mkdtemp(path));
	snprintf(file, sizeof file, "%s/libmon.so", path);
	fd = open(file, O_RDWR | O_CREAT, 0600);
	cr_assert_eq(ftruncate(fd, 4096), 0);
	cr_assert_neq(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0),
	    MAP_FAILED);
	unlink(file);
	rmdir(path);
	environ_read("/tmp", profopts);
	return close(fd);
}

Test(store_path, a_run_complains_once)
{
	profiled_parent("speed=1,hz=0");
	cr_expect_str_eq(got->said, "");
	cr_expect_eq(got->config.place, CONFIG_PLACE_DIR);
}

Test(store_path, children_that_are_not_followed)
{
	profiled_parent("follow=no");
	cr_expect_eq(got->config.place, CONFIG_PLACE_OFF);
}
