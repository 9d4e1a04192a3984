/* Context: O.  Tests of core/hot/store/file_create.c. */
#include "store/file_create.h"
#include "target.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(file_create, .init = target_init, .fini = target_fini);

static const char text[] = "whole from the first";

/* 0, or the line of what is wrong with a new file at `name`. */
static int
makes(const char *name)
{
	const char *path = target_path(name);
	char bytes[64] = "";
	struct stat st;
	int fd = file_create_atomic(path, config.directory, text, sizeof text);

	if (fd < 0)
		return __LINE__;
	if (fstat(fd, &st) != 0 || (st.st_mode & 07777) != 0600)
		return __LINE__;
	if (st.st_nlink != 1 || st.st_size != sizeof text)
		return __LINE__;
	if ((fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0)
		return __LINE__;
	if (pwrite(fd, "W", 1, 0) != 1 || close(fd) != 0)
		return __LINE__;
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, bytes, sizeof bytes) != sizeof text)
		return __LINE__;
	close(fd);
	return strcmp(bytes, "Whole from the first") == 0 ? 0 : __LINE__;
}

static int
refuses(const char *name)
{
	unsigned before = target_descriptors();
	int fd = file_create_atomic(target_path(name), config.directory, text,
	    sizeof text);

	if (fd != -EEXIST || !file_create_exists(target_path(name)))
		return __LINE__;
	return target_descriptors() == before ? 0 : __LINE__;
}

static int
all(void)
{
	int line = makes("new");

	if (line != 0)
		return line;
	if (symlink("/etc/passwd", target_path("link")) != 0 ||
	    symlink("nowhere", target_path("dangling")) != 0 ||
	    mkdir(target_path("directory"), 0700) != 0)
		return __LINE__;
	line = refuses("new");
	if (line == 0)
		line = refuses("link");
	if (line == 0)
		line = refuses("dangling");
	if (line == 0)
		line = refuses("directory");
	if (line == 0 && (file_create_exists(target_path("nowhere")) ||
	    access(target_path("nowhere"), F_OK) == 0))
		line = __LINE__;
	return line;
}

Test(file_create, new_and_taken_names)
{
	int line = all();

	cr_expect_eq(line, 0, "line %d", line);
}

/* File systems without files that have no name, and no /proc. */
static int
without_unnamed(void)
{
	if (target_forbid(SYS_openat, O_TMPFILE | O_RDWR | O_CLOEXEC,
	    EOPNOTSUPP) != 0)
		return __LINE__;
	return all();
}

static int
without_links(void)
{
	return target_forbid(SYS_linkat, TARGET_ANY, ENOENT) != 0 ? __LINE__ :
	    all();
}

Test(file_create, elsewhere)
{
	int line = target_child(without_unnamed);

	cr_expect_eq(line, 0, "without unnamed files: line %d", line);
	target_fini();
	target_init();
	line = target_child(without_links);
	cr_expect_eq(line, 0, "without links: line %d", line);
}

/* No directory, none that may be written: nothing is left. */
Test(file_create, nowhere)
{
	cr_expect_eq(file_create_atomic(target_path("missing/x"),
	    target_path("missing"), text, sizeof text), -ENOENT);
	cr_expect_not(file_create_exists(target_path("missing/x")));
}
