/* Context: T.  Children that libc makes and execs by inner calls. */
#include "expose.h"
#include "hook.h"
#include "start.h"

#include <stdlib.h>
#include <wordexp.h>

/*
 * Makes a child by `call`, whose result is ret and whose errno is `error` in
 * the condition `made`: there was a child.
 */
#define EXPOSED(type, call, made) do {					\
	struct exposed e;						\
	const int before = errno;					\
	type ret;							\
	int error;							\
									\
	real_begin();							\
	expose_begin(&e);						\
	errno = 0;							\
	ret = (call);							\
	error = errno;							\
	expose_end(&e);							\
	if (made)							\
		start_count_child();					\
	errno = error != 0 ? error : before;				\
	return ret;							\
} while (0)

MON_EXPORT int
posix_spawn(pid_t *pid, const char *path,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const argv[], char *const envp[])
{
	EXPOSED(int, REAL(posix_spawn)(pid, path, actions, attr, argv, envp),
	    ret == 0);
}

MON_EXPORT int
posix_spawnp(pid_t *pid, const char *file,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const argv[], char *const envp[])
{
	EXPOSED(int, REAL(posix_spawnp)(pid, file, actions, attr, argv, envp),
	    ret == 0);
}

/*
 * Without a child system(3) answers as a shell does that could not be executed,
 * but sets errno.
 */
MON_EXPORT int
system(const char *command)
{
	EXPOSED(int, REAL(system)(command), error == 0);
}

MON_EXPORT FILE *
popen(const char *command, const char *mode)
{
	EXPOSED(FILE *, REAL(popen)(command, mode), ret != NULL);
}

/* Returns whether the words may contain a command substitution. */
static bool
substitutes(const char *words)
{
	for (; *words != '\0'; words++)
		if (*words == '`' || (words[0] == '$' && words[1] == '(' &&
		    words[2] != '('))
			return true;
	return false;
}

/* Command substitution is a shell that it makes itself. */
MON_EXPORT int
wordexp(const char *words, wordexp_t *result, int flags)
{
	EXPOSED(int, REAL(wordexp)(words, result, flags), ret == 0 &&
	    substitutes(words));
}
