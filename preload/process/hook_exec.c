/*
 * Context: T.  Hooks of exec(2) in all its forms; also called in vfork
 * children.
 */
#include "hook.h"
#include "life/exec_image.h"

#include <alloca.h>
#include <stdarg.h>

extern char **environ;

/* Prepares, makes the call, undoes that when it has failed, and returns. */
#define EXEC_AND_RETURN(call) do { \
	struct exec_image image; \
	int ret, error;							\
									\
	real_begin();							\
	exec_image_prepare(&image); \
	ret = (call);							\
	error = errno;							\
	exec_image_undo(&image); \
	errno = error;							\
	return ret;							\
} while (0)

MON_EXPORT int
execve(const char *path, char *const argv[], char *const envp[])
{
	EXEC_AND_RETURN(real.execve(path, argv, envp));
}

MON_EXPORT int
execv(const char *path, char *const argv[])
{
	EXEC_AND_RETURN(real.execv(path, argv));
}

MON_EXPORT int
execvp(const char *file, char *const argv[])
{
	EXEC_AND_RETURN(REAL(execvp)(file, argv));
}

MON_EXPORT int
execvpe(const char *file, char *const argv[], char *const envp[])
{
	EXEC_AND_RETURN(REAL(execvpe)(file, argv, envp));
}

MON_EXPORT int
fexecve(int fd, char *const argv[], char *const envp[])
{
	EXEC_AND_RETURN(real.fexecve(fd, argv, envp));
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
	EXEC_AND_RETURN(REAL(execveat)(fd, path, argv, envp, flags));
}

/*
 * The list forms gather their arguments on the stack, as libc does: malloc
 * cannot be called here.
 */
static size_t
count_exec_args(va_list ap)
{
	size_t n = 1;

	while (va_arg(ap, char *) != NULL)
		n++;
	return n;
}

static void
copy_exec_args(char **argv, const char *first, va_list ap)
{
	*argv = (char *)first;
	while (*argv++ != NULL)
		*argv = va_arg(ap, char *);
}

/*
 * Hides from the compiler that unistd.h declares `first` as not NULL, so that
 * it keeps the test: callers pass NULL all the same.
 */
static const char *
maybe_null(const char *p)
{
	__asm__("" : "+r"(p));
	return p;
}

#define GATHER_ARGV(argv, first) do {					\
	const char *name = maybe_null(first);				\
	va_list list;							\
	size_t n = 0;							\
									\
	if (name != NULL) {						\
		va_start(list, first);					\
		n = count_exec_args(list); \
		va_end(list);						\
	}								\
	argv = alloca((n + 1) * sizeof(*argv));				\
	argv[0] = NULL;							\
	if (name != NULL) {						\
		va_start(list, first);					\
		copy_exec_args(argv, name, list); \
		va_end(list);						\
	}								\
} while (0)

MON_EXPORT int
execl(const char *path, const char *first, ...)
{
	char **argv;

	GATHER_ARGV(argv, first);
	return execv(path, argv);
}

MON_EXPORT int
execlp(const char *file, const char *first, ...)
{
	char **argv;

	GATHER_ARGV(argv, first);
	return execvp(file, argv);
}

MON_EXPORT int
execle(const char *path, const char *first, ...)
{
	char **argv, **envp;
	va_list ap;

	GATHER_ARGV(argv, first);
	va_start(ap, first);
	if (maybe_null(first) != NULL)
		while (va_arg(ap, char *) != NULL)
			;
	envp = va_arg(ap, char **);
	va_end(ap);
	return execve(path, argv, envp);
}
