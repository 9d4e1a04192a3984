/*
 * Context: load.  sharers SECONDS: makes children in the memory of this
 * process.  Two children of clone() that run beside it, one of clone() that it
 * waits for, and two of vfork() use SECONDS of CPU time each; one more of each
 * kind execs at once.
 */
#include "load.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

static double seconds;

static int
work(void *argument)
{
	(void)argument;
	load_burn(seconds);
	return 7;
}

static int
leave(void *argument)
{
	(void)argument;
	execl("/nonexistent/true", "true", NULL);
	execl("/bin/true", "true", NULL);
	_exit(8);
}

static void
await(pid_t pid, int wanted)
{
	int status;

	LOAD_TRY(pid);
	LOAD_TRY(waitpid(pid, &status, 0));
	if (status != wanted << 8)
		printf("status %x, wanted %d\n", (unsigned)status, wanted);
}

static pid_t
begin(int (*fn)(void *), int flags, unsigned nth)
{
	static char stack[5][65536] __attribute__((aligned(16)));

	return clone(fn, stack[nth] + sizeof(stack[nth]),
	    flags | CLONE_VM | SIGCHLD, NULL);
}

int
main(int argc, char **argv)
{
	pid_t pid, one, two;

	seconds = load_number(argc, argv, 1, 0.1);
	one = begin(work, 0, 0);
	two = begin(work, CLONE_FILES | CLONE_FS | CLONE_SIGHAND, 1);
	load_burn(seconds);
	await(one, 7);
	await(two, 7);
	await(begin(work, CLONE_VFORK, 2), 7);
	await(begin(leave, CLONE_VFORK, 3), 0);
	await(begin(leave, 0, 4), 0);
	pid = vfork();
	if (pid == 0) {
		load_burn(seconds);
		_exit(7);
	}
	await(pid, 7);
	pid = vfork();
	if (pid == 0) {
		load_burn(seconds);
		execl("/bin/true", "true", NULL);
		_exit(8);
	}
	await(pid, 0);
	pid = vfork();
	if (pid == 0) {
		execl("/bin/true", "true", NULL);
		_exit(8);
	}
	await(pid, 0);
	return 0;
}
