/* Context: T.  A file that replaces another is there whole, or not at all. */
#include "whole.h"

#include "bytes.h"
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

static void
flush(struct whole_parts *w)
{
	if (w->error == 0)
		w->error = whole_put(w->fd, w->bytes, w->used);
	w->used = 0;
}

void
whole_add(struct whole_parts *w, const void *bytes, size_t n)
{
	if (n > sizeof w->bytes - w->used)
		flush(w);
	if (n > sizeof w->bytes) {
		if (w->error == 0)
			w->error = whole_put(w->fd, bytes, n);
		return;
	}
	mem_copy(w->bytes + w->used, bytes, n);
	w->used += n;
}

void
whole_add_number(struct whole_parts *w, uint64_t value, unsigned bytes)
{
	unsigned char number[8];

	bytes_put(number, value, bytes);
	whole_add(w, number, bytes);
}

int
whole_end(struct whole_parts *w)
{
	flush(w);
	return w->error;
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

/* Nor a pipe, a terminal or whatever else has the name. */
static int
write_over(const char *path, whole_content *content, void *arg)
{
	struct stat st;
	int ret, fd = sys_open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY, 0);

	if (fd < 0)
		return fd;
	ret = (int)SYS(fstat, fd, &st, 0, 0, 0, 0);
	if (ret == 0 && !S_ISREG(st.st_mode))
		ret = -EACCES;
	if (ret == 0)
		ret = (int)SYS(ftruncate, fd, 0, 0, 0, 0, 0);
	if (ret == 0)
		return fill(fd, content, arg);
	sys_close(fd);
	return ret;
}

static int
write_either(const char *path, whole_content *content, void *arg)
{
	int ret = write_beside(path, content, arg);

	return ret == -EACCES || ret == -EPERM || ret == -EROFS ?
	    write_over(path, content, arg) : ret;
}

/* Past the limit of file sizes a signal comes that kills: it is ours. */
int
whole_write(const char *path, whole_content *content, void *arg)
{
	const sys_sigset limit = SYS_SIGBIT(SIGXFSZ);
	const struct timespec now = {0, 0};
	sys_sigset before, pending = 0;
	int ret;

	sys_sigprocmask(SIG_BLOCK, &limit, &before);
	SYS(rt_sigpending, &pending, sizeof pending, 0, 0, 0, 0);
	ret = write_either(path, content, arg);
	if (ret == -EFBIG && (pending & limit) == 0)
		SYS(rt_sigtimedwait, &limit, NULL, &now, sizeof limit, 0, 0);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}
