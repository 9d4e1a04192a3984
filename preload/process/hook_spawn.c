/*
 * Context: T.  Hooks of functions in which libc makes a child and executes a
 * program by inner calls, which no hook sees: posix_spawn, system, popen,
 * wordexp.  While libc's function runs, the program's own signal mask and
 * actions are in force.
 */
#include "hook.h"
#include "life/process_fork.h"
#include "signal/exec_signals.h"

#include <stdlib.h>
#include <wordexp.h>

/*
 * Calls `call`, which makes a child, and returns its result.  `made`: an
 * expression that tells from ret, the result, and `error`, its errno, whether a
 * child was made.
 */
#define SPAWN_AND_RETURN(type, call, made) do { \
	struct exec_signals e;						\
	const int before = errno;					\
	type ret;							\
	int error;							\
									\
	real_begin();							\
	exec_signals_apply(&e);						\
	errno = 0;							\
	ret = (call);							\
	error = errno;							\
	exec_signals_restore(&e); \
	if (made)							\
		process_fork_count_child();				\
	errno = error != 0 ? error : before;				\
	return ret;							\
} while (0)

MON_EXPORT int
posix_spawn(pid_t *pid, const char *path,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const argv[], char *const envp[])
{
	SPAWN_AND_RETURN(int, REAL(posix_spawn)(pid, path, actions, attr, argv,
	    envp), ret == 0);
}

MON_EXPORT int
posix_spawnp(pid_t *pid, const char *file,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const argv[], char *const envp[])
{
	SPAWN_AND_RETURN(int, REAL(posix_spawnp)(pid, file, actions, attr, argv,
	    envp), ret == 0);
}

/*
 * The result does not tell whether there was a child: without one glibc returns
 * the status of a shell that could not execute, and before 2.29 it returned -1.
 * But it sets errno then.  With a child errno is 0 or what waitpid(2) set:
 * EINTR if a handler interrupted it before glibc repeated it, and ECHILD if the
 * program ignores SIGCHLD or has waited for the child itself.  Neither is an
 * error of making a child.
 */
MON_EXPORT int
system(const char *command)
{
	SPAWN_AND_RETURN(int, REAL(system)(command), error == 0 ||
	    error == EINTR || error == ECHILD);
}

MON_EXPORT FILE *
popen(const char *command, const char *mode)
{
	SPAWN_AND_RETURN(FILE *, REAL(popen)(command, mode), ret != NULL);
}

/* Returns whether the words may contain a command substitution. */
static bool
has_command_substitution(const char *words)
{
	for (; *words != '\0'; words++)
		if (*words == '`' || (words[0] == '$' && words[1] == '(' &&
		    words[2] != '('))
			return true;
	return false;
}

/* For a command substitution, wordexp() runs a shell. */
MON_EXPORT int
wordexp(const char *words, wordexp_t *result, int flags)
{
	SPAWN_AND_RETURN(int, REAL(wordexp)(words, result, flags), ret == 0 &&
	    has_command_substitution(words));
}
