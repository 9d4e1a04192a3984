/*
 * Context: O.  Checks the values of --set before the command runs, for
 * prof_record.c; see record_check.h.
 */
#include "record/record_check.h"

#include "common/print_fault.h"
#include "libmon/backend_preload.h"
#include "libmon/preload_env.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Begins what libmon.so says of an option. */
#define CHECK_NOTE	"libmon: PROFOPTS: "
/* Stands between an option and what was wanted. */
#define CHECK_WANTED	" ignored; "

/* Runs in the child: prints the version, with errors to the pipe `to`. */
static void
run_version(char **env, int to)
{
	const char *argv[] = { "prof", "--version", NULL };
	const int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	dup2(to, STDERR_FILENO);
	execve("/proc/self/exe", (char **)argv, env);
	_exit(127);
}

/*
 * Starts this program in an environment.  Returns the stream of its standard
 * error and sets *pid; NULL if it cannot be started.
 */
static FILE *
start_version(char **env, pid_t *pid)
{
	FILE *from;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return NULL;
	from = fdopen(ends[0], "r");
	*pid = from == NULL ? -1 : fork();
	if (*pid == 0)
		run_version(env, ends[1]);
	close(ends[1]);
	if (*pid >= 0)
		return from;
	if (from != NULL)
		fclose(from);
	else
		close(ends[0]);
	return NULL;
}

/* Reports an option that libmon.so does not know, by its own line. */
static void
report_option(char *line)
{
	char *wanted = strstr(line, CHECK_WANTED);
	struct fault f;

	line[strcspn(line, "\n")] = '\0';
	fault_set(&f, "is not known to libmon.so", FAULT_NO_OFFSET, 0);
	if (wanted != NULL) {
		*wanted = '\0';
		f.remedy = wanted + strlen(CHECK_WANTED);
	}
	f.file = line;
	print_fault(&f);
}

/* Reads what libmon.so says in an environment.  Returns 0 or -EINVAL. */
static int
check_environment(char **env)
{
	pid_t pid;
	FILE *from = start_version(env, &pid);
	char line[512];
	int ret = 0;

	if (from == NULL)
		return 0;
	while (fgets(line, sizeof(line), from) != NULL)
		if (strncmp(line, CHECK_NOTE, strlen(CHECK_NOTE)) == 0) {
			report_option(line + strlen(CHECK_NOTE));
			ret = -EINVAL;
		}
	fclose(from);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return ret;
}

int
record_check_options(const struct record_options *set)
{
	struct preload_env env;
	char library[PATH_MAX], *options;
	struct fault f;
	int ret = 0;

	/* Faults of these functions are reported where the command is run. */
	if (!set->set_given || libmon_find(library, sizeof(library), &f) != 0)
		return 0;
	/* No program is profiled: none has this name. */
	if (asprintf(&options, "%s,only=:", set->options) < 0)
		return 0;
	if (preload_env_make(&env, &(struct preload_env_request) {
		.library = library, .directory = "/", .options = options,
	    }) == 0) {
		ret = check_environment(env.env);
		preload_env_free(&env);
	}
	free(options);
	return ret;
}
