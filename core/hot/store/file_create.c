/*
 * Context: S.  Creates a file that is complete from the moment it has its name,
 * for store_path.c; see file_create.h.
 */
#include "store/file_create.h"

#include "base/str.h"

#ifndef O_TMPFILE
#define O_TMPFILE	(020000000 | O_DIRECTORY)
#endif

#define MODE	0600

/* Writes the bytes and makes sure of the mode.  Returns 0 or -errno. */
static int
write_new_file(int fd, const void *bytes, size_t n)
{
	long ret = sys_write(fd, bytes, n);
	struct stat st;

	/* A umask can remove the owner's permissions, too. */
	if (SYS(fstat, fd, &st, 0, 0, 0, 0) == 0 &&
	    (st.st_mode & MODE) != MODE)
		SYS(fchmod, fd, MODE, 0, 0, 0, 0);
	if (ret == (long)n)
		return 0;
	return ret < 0 ? (int)ret : -ENOSPC;
}

/*
 * Gives the open file its name.  It links the descriptor's entry in /proc,
 * because AT_EMPTY_PATH needs more rights.  The entry is that of thread-self,
 * because self is the table of the first thread.
 */
static int
link_to_path(int fd, const char *path)
{
	char entry[48];
	struct str s;

	str_init(&s, entry, sizeof(entry));
	str_add(&s, "/proc/thread-self/fd/");
	str_add_number(&s, (uint64_t)fd);
	return (int)SYS(linkat, AT_FDCWD, entry, AT_FDCWD, path,
	    AT_SYMLINK_FOLLOW, 0);
}

/*
 * Creates the file without a name, and gives it one when it is complete.
 * Returns a descriptor or -errno.
 */
static int
create_by_link(const char *path, const char *directory, const void *bytes,
    size_t n)
{
	int fd = sys_open(directory, O_TMPFILE | O_RDWR, MODE), ret;

	if (fd < 0)
		return fd;
	ret = write_new_file(fd, bytes, n);
	if (ret == 0)
		ret = link_to_path(fd, path);
	if (ret == 0)
		return fd;
	sys_close(fd);
	return ret;
}

/*
 * Creates the file under its name, for file systems on which a file must have
 * one (NFS, FUSE, all before Linux 3.11).
 */
static int
create_by_name(const char *path, const void *bytes, size_t n)
{
	int fd = sys_open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
	    O_NOCTTY, MODE), ret;

	if (fd < 0)
		return fd;
	ret = write_new_file(fd, bytes, n);
	if (ret == 0)
		return fd;
	SYS(unlinkat, AT_FDCWD, path, 0, 0, 0, 0);
	sys_close(fd);
	return ret;
}

int
file_create_atomic(const char *path, const char *directory, const void *bytes,
    size_t n)
{
	int fd = create_by_link(path, directory, bytes, n);

	if (fd >= 0 || fd == -EEXIST || fd == -EMFILE || fd == -ENOSPC ||
	    fd == -EDQUOT)
		return fd;
	return create_by_name(path, bytes, n);
}

bool
file_create_exists(const char *path)
{
	struct stat st;

	return SYS(newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW, 0,
	    0) == 0;
}
