/* Context: T.  Children that libc makes and execs by inner calls. */
#include "children.h"
#include "expose.h"
#include "hook.h"

#include <stdlib.h>
#include <wordexp.h>

#define EXPOSED(type, call) do {					\
	struct exposed e;						\
	type ret;							\
	int error;							\
									\
	real_begin();							\
	children_count();						\
	expose_begin(&e);						\
	ret = (call);							\
	error = errno;							\
	expose_end(&e);							\
	errno = error;							\
	return ret;							\
} while (0)

MON_EXPORT int
posix_spawn(pid_t *pid, const char *path,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const argv[], char *const envp[])
{
	EXPOSED(int, REAL(posix_spawn)(pid, path, actions, attr, argv, envp));
}

MON_EXPORT int
posix_spawnp(pid_t *pid, const char *file,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const argv[], char *const envp[])
{
	EXPOSED(int, REAL(posix_spawnp)(pid, file, actions, attr, argv, envp));
}

MON_EXPORT int
system(const char *command)
{
	EXPOSED(int, REAL(system)(command));
}

MON_EXPORT FILE *
popen(const char *command, const char *mode)
{
	EXPOSED(FILE *, REAL(popen)(command, mode));
}

/* Command substitution is a shell that it makes itself. */
MON_EXPORT int
wordexp(const char *words, wordexp_t *result, int flags)
{
	EXPOSED(int, REAL(wordexp)(words, result, flags));
}
