/*
 * Context: T.  Writes the files of classic formats, for the writers of the room
 * classic; see atomic_write.h.
 */
#include "base/atomic_write.h"

#include "base/str.h"
#include "base/sys.h"
#include "bytes.h"

#include <linux/limits.h>

int
atomic_write_bytes(int fd, const void *bytes, size_t n)
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
flush_write_buffer(struct atomic_write_buffer *w)
{
	if (w->error == 0)
		w->error = atomic_write_bytes(w->fd, w->bytes, w->used);
	w->used = 0;
}

void
atomic_write_add(struct atomic_write_buffer *w, const void *bytes, size_t n)
{
	if (n > sizeof(w->bytes) - w->used)
		flush_write_buffer(w);
	if (n > sizeof(w->bytes)) {
		if (w->error == 0)
			w->error = atomic_write_bytes(w->fd, bytes, n);
		return;
	}
	mem_copy(w->bytes + w->used, bytes, n);
	w->used += n;
}

void
atomic_write_number(struct atomic_write_buffer *w, uint64_t value,
    unsigned bytes)
{
	unsigned char number[8];

	bytes_put(number, value, bytes);
	atomic_write_add(w, number, bytes);
}

int
atomic_write_flush(struct atomic_write_buffer *w)
{
	flush_write_buffer(w);
	return w->error;
}

/* Writes the content and closes fd in any case.  Returns 0 or -errno. */
static int
fill_and_close(int fd, atomic_write_fn *content, void *arg)
{
	int ret = content(fd, arg);
	int closed = sys_close(fd);

	return ret != 0 ? ret : closed;
}

/* Writes PATH.part.PID and renames it to `path`.  Returns 0 or -errno. */
static int
write_and_rename(const char *path, atomic_write_fn *content, void *arg)
{
	char part[PATH_MAX];
	struct str s;
	int fd, ret;

	str_init(&s, part, sizeof(part));
	str_add(&s, path);
	str_add(&s, ".part.");
	str_add_number(&s, (uint64_t)sys_getpid());
	if (s.full)
		return -ENAMETOOLONG;
	/* left by a killed one */
	SYS(unlinkat, AT_FDCWD, part, 0, 0, 0, 0);
	fd = sys_open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
	if (fd < 0)
		return fd;
	ret = fill_and_close(fd, content, arg);
	if (ret == 0)
		ret = (int)SYS(renameat, AT_FDCWD, part, AT_FDCWD, path, 0, 0);
	if (ret != 0)
		SYS(unlinkat, AT_FDCWD, part, 0, 0, 0, 0);
	return ret;
}

/*
 * Overwrites the file at `path`, if that is a regular file: not a link, a pipe
 * or a terminal.  A failure leaves it empty or with a part.
 */
static int
overwrite_regular(const char *path, atomic_write_fn *content, void *arg)
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
		return fill_and_close(fd, content, arg);
	sys_close(fd);
	return ret;
}

static int
rename_or_overwrite(const char *path, atomic_write_fn *content, void *arg)
{
	int ret = write_and_rename(path, content, arg);

	return ret == -EACCES || ret == -EPERM || ret == -EROFS ?
	    overwrite_regular(path, content, arg) : ret;
}

/*
 * Blocks SIGXFSZ, which a write past the limit of file sizes sends and which
 * kills.  The signal that this function's own write has sent is taken off.
 */
int
atomic_write_file(const char *path, atomic_write_fn *content, void *arg)
{
	const sys_sigset limit = SYS_SIGBIT(SIGXFSZ);
	const struct timespec now = {0, 0};
	sys_sigset before, pending = 0;
	int ret;

	sys_sigprocmask(SIG_BLOCK, &limit, &before);
	SYS(rt_sigpending, &pending, sizeof(pending), 0, 0, 0, 0);
	ret = rename_or_overwrite(path, content, arg);
	if (ret == -EFBIG && (pending & limit) == 0)
		SYS(rt_sigtimedwait, &limit, NULL, &now, sizeof(limit), 0, 0);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}
