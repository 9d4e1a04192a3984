/* Context: T.  exec(2) in all its forms; also in vfork children. */
#include "hook.h"
#include "image.h"

#include <alloca.h>
#include <stdarg.h>

extern char **environ;

#define AROUND(call) do {						\
	struct image image;						\
	int ret, error;							\
									\
	real_begin();							\
	image_leave(&image);						\
	ret = (call);							\
	error = errno;							\
	image_return(&image);						\
	errno = error;							\
	return ret;							\
} while (0)

MON_EXPORT int
execve(const char *path, char *const argv[], char *const envp[])
{
	AROUND(real.execve(path, argv, envp));
}

MON_EXPORT int
execv(const char *path, char *const argv[])
{
	AROUND(real.execv(path, argv));
}

MON_EXPORT int
execvp(const char *file, char *const argv[])
{
	AROUND(REAL(execvp)(file, argv));
}

MON_EXPORT int
execvpe(const char *file, char *const argv[], char *const envp[])
{
	AROUND(REAL(execvpe)(file, argv, envp));
}

MON_EXPORT int
fexecve(int fd, char *const argv[], char *const envp[])
{
	AROUND(real.fexecve(fd, argv, envp));
}

MON_EXPORT int
execveat(int fd, const char *path, char *const argv[], char *const envp[],
    int flags)
{
	real_begin();
	if (REAL(execveat) == NULL) {
		errno = ENOSYS;	/* glibc before 2.34 */
		return -1;
	}
	AROUND(REAL(execveat)(fd, path, argv, envp, flags));
}

/* The list forms gather on the stack, as libc does: no malloc here. */
static size_t
count_list(va_list ap)
{
	size_t n = 1;

	while (va_arg(ap, char *) != NULL)
		n++;
	return n;
}

static void
take_list(char **argv, const char *first, va_list ap)
{
	*argv = (char *)first;
	while (*argv++ != NULL)
		*argv = va_arg(ap, char *);
}

/*
 * unistd.h declares `first` not NULL, so that a compiler drops the test;
 * callers pass NULL all the same.
 */
static const char *
maybe_null(const char *p)
{
	__asm__("" : "+r"(p));
	return p;
}

#define GATHER(argv, first) do {					\
	const char *name = maybe_null(first);				\
	va_list list;							\
	size_t n = 0;							\
									\
	if (name != NULL) {						\
		va_start(list, first);					\
		n = count_list(list);					\
		va_end(list);						\
	}								\
	argv = alloca((n + 1) * sizeof *argv);				\
	argv[0] = NULL;							\
	if (name != NULL) {						\
		va_start(list, first);					\
		take_list(argv, name, list);				\
		va_end(list);						\
	}								\
} while (0)

MON_EXPORT int
execl(const char *path, const char *first, ...)
{
	char **argv;

	GATHER(argv, first);
	return execv(path, argv);
}

MON_EXPORT int
execlp(const char *file, const char *first, ...)
{
	char **argv;

	GATHER(argv, first);
	return execvp(file, argv);
}

MON_EXPORT int
execle(const char *path, const char *first, ...)
{
	char **argv, **envp;
	va_list ap;

	GATHER(argv, first);
	va_start(ap, first);
	if (maybe_null(first) != NULL)
		while (va_arg(ap, char *) != NULL)
			;
	envp = va_arg(ap, char **);
	va_end(ap);
	return execve(path, argv, envp);
}
