/*
 * Context: load.  shorts HOW COUNT MS: short processes, one after the other.
 *
 * HOW: `burn` uses MS of CPU time itself.  `fork`, `vfork`, `spawn` and `clone`
 * make COUNT children in this way: the first burns in the child itself, the
 * others execute this program to burn.  `ignore` does as `fork` does, but the
 * kernel waits for the children, and `leave` ends before its only child does.
 */
#include "load.h"

#include <signal.h>
#include <spawn.h>
#include <sched.h>
#include <sys/wait.h>

extern char **environ;

static char name[] = "shorts", way[] = "burn", one[] = "1", ms[24] = "1";
static char stack[65536];

static int
execute(void *unused)
{
	char *argv[] = { name, way, one, ms, NULL };

	(void)unused;
	execv("/proc/self/exe", argv);
	_exit(2);
}

static pid_t
make(const char *how)
{
	char *argv[] = { name, way, one, ms, NULL };
	pid_t pid;

	if (strcmp(how, "vfork") == 0) {
		pid = vfork();
		if (pid == 0)
			execute(NULL);
		return pid;
	}
	if (strcmp(how, "spawn") == 0)
		return posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv,
		    environ) == 0 ? pid : -1;
	if (strcmp(how, "clone") == 0)
		return clone(execute, stack + sizeof stack, SIGCHLD, NULL);
	pid = fork();
	if (pid == 0) {
		load_burn(atof(ms) / 1000);
		_exit(0);
	}
	return pid;
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "burn";
	int count = (int)load_number(argc, argv, 2, 1);

	if (argc > 3)
		snprintf(ms, sizeof ms, "%s", argv[3]);
	if (strcmp(how, "burn") == 0) {
		load_burn(atof(ms) / 1000);
		return 0;
	}
	if (strcmp(how, "ignore") == 0)
		signal(SIGCHLD, SIG_IGN);
	while (count-- > 0) {
		pid_t pid = make(how);

		LOAD_TRY(pid);
		if (strcmp(how, "leave") == 0)
			return 0;
		if (waitpid(pid, NULL, 0) < 0 && errno != ECHILD)
			load_die("waitpid");
	}
	return 0;
}
