/*
 * Context: load.  Calls of same.c for a process of one thread: it leaves,
 * enters and shares things alone.
 */
#include "same.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define CALL(name) static long name(void)

/* Runs in a child, which does not get back what it leaves. */
static long
leave_by(int flags, int number)
{
	pid_t pid = fork();

	if (pid == 0) {
		load_burn(0.01);
		_exit((number ? syscall(SYS_unshare, flags) :
		    unshare(flags)) == 0 ? 0 : errno);
	}
	return same_waited(pid);
}

static long
leave(int flags)
{
	return leave_by(flags, 0);
}

CALL(leave_user) { return leave(CLONE_NEWUSER); }
CALL(leave_all) { return leave(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID); }
CALL(leave_threads) { return leave(CLONE_THREAD); }
CALL(leave_nothing) { return leave(1); }

CALL(leave_by_number) { return leave_by(CLONE_NEWUSER | CLONE_NEWNS, 1); }

CALL(enter_mounts)
{
	pid_t pid = fork();

	if (pid == 0) {
		load_burn(0.01);
		_exit(setns(open("/proc/self/ns/mnt", O_RDONLY),
		    CLONE_NEWNS) == 0 ? 0 : errno);
	}
	return same_waited(pid);
}

/*
 * Returns whether the process has a list of semaphore adjustments, given that
 * its child has none; -1: not known.
 */
CALL(semaphores)
{
	pid_t pid = fork();
	long r;

	if (pid == 0) {
		pause();
		_exit(0);
	}
	usleep(20000);
	r = syscall(SYS_kcmp, getpid(), pid, 6 /* KCMP_SYSVSEM */, 0, 0);
	kill(pid, SIGKILL);
	same_waited(pid);
	return r;
}

/*
 * Prints which calls the kernel refuses and which it grants in a process of one
 * thread.
 */
CALL(enter_each)
{
	static const char *const name[] = {
		"uts", "mnt", "user", "time", "ipc", "net", "cgroup", "pid",
	};
	static const int type[] = {
		CLONE_NEWUTS, CLONE_NEWNS, CLONE_NEWUSER, 0x80, CLONE_NEWIPC,
		CLONE_NEWNET, 0x2000000, CLONE_NEWPID,
	};
	char path[32];
	unsigned i, all;
	int fd, r;

	for (i = 0; i < sizeof type / sizeof *type; i++) {
		for (all = 0; all < 2; all++) {
			snprintf(path, sizeof path, "/proc/self/ns/%s",
			    name[i]);
			fd = open(path, O_RDONLY);
			r = setns(fd, all ? 0 : type[i]);
			printf("\t%s %d %d\n", name[i], r, r < 0 ? errno : 0);
			close(fd);
		}
	}
	return setns(-1, 0x77);
}

#define ROW(name) { #name, name }
const struct same_call same_apart[] = {
	ROW(leave_user), ROW(leave_all), ROW(leave_threads),
	ROW(leave_by_number), ROW(leave_nothing), ROW(enter_mounts),
	ROW(enter_each), ROW(semaphores),
	{ NULL, NULL },
};
