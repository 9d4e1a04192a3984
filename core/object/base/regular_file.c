/*
 * Context: O.  Opens files of names from outside, for all readers of the tools;
 * see regular_file.h.
 */
#include "base/regular_file.h"

#include "base/mount_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int
regular_file_stat(const char *path, struct stat *st)
{
	if (mount_guard_contains(path))
		return -ELOOP;
	return stat(path, st) != 0 ? -errno : 0;
}

int
regular_file_open(const char *path, int flags, struct stat *st)
{
	int fd, ret = regular_file_stat(path, st);

	if (ret != 0)
		return ret;
	if (!S_ISREG(st->st_mode))
		return -ENOEXEC;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
	if (fd < 0)
		return -errno;
	ret = fstat(fd, st) != 0 ? -errno : S_ISREG(st->st_mode) ? fd :
	    -ENOEXEC;
	if (ret < 0)
		close(fd);
	return ret;
}
