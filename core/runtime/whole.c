/* Context: T.  A file that replaces another is there whole, or not at all. */
#include "whole.h"

#include "str.h"
#include "sys.h"

#include <linux/limits.h>

int
whole_put(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n > 0) {
		long done = sys_write(fd, p, n);

		if (done == -EINTR)
			continue;
		if (done <= 0)
			return done == 0 ? -ENOSPC : (int)done;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

static int
fill(int fd, whole_content *content, void *arg)
{
	int ret = content(fd, arg);
	int closed = sys_close(fd);

	return ret != 0 ? ret : closed;
}

static int
write_beside(const char *path, whole_content *content, void *arg)
{
	char part[PATH_MAX];
	struct str s;
	int fd, ret;

	str_init(&s, part, sizeof part);
	str_add(&s, path);
	str_add(&s, ".part.");
	str_add_number(&s, (uint64_t)sys_getpid());
	if (s.full)
		return -ENAMETOOLONG;
	SYS(unlinkat, AT_FDCWD, part, 0, 0, 0, 0);	/* of a killed one */
	fd = sys_open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	if (fd < 0)
		return fd;
	ret = fill(fd, content, arg);
	if (ret == 0)
		ret = (int)SYS(renameat, AT_FDCWD, part, AT_FDCWD, path, 0, 0);
	if (ret != 0)
		SYS(unlinkat, AT_FDCWD, part, 0, 0, 0, 0);
	return ret;
}

int
whole_write(const char *path, whole_content *content, void *arg)
{
	int fd, ret = write_beside(path, content, arg);

	if (ret != -EACCES && ret != -EPERM && ret != -EROFS)
		return ret;
	fd = sys_open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW, 0);
	return fd < 0 ? fd : fill(fd, content, arg);
}
