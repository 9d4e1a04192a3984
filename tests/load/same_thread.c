/* Context: load.  same.c's calls on threads and libraries, and a child's
 * ends. */
#include "same.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <threads.h>

#define CALL(name) static long name(void)

static void *
thread_state(void *arg)
{
	struct same_state *now = same_take();

	load_burn(0.01);
	same_print(arg, now);	/* a thread inherits the mask, not the stack */
	free(now);
	return arg;
}

CALL(thread_inherits)
{
	struct same_state *s;
	pthread_t id;
	void *result;

	same_block(SIG_BLOCK);
	s = same_take();
	pthread_create(&id, NULL, thread_state, s);
	pthread_join(id, &result);
	same_block(SIG_UNBLOCK);
	free(s);
	return result == s;
}

CALL(thread_attributes)
{
	pthread_attr_t attr;
	sigset_t mask;
	pthread_t id;
	long r;

	sigemptyset(&mask);
	sigaddset(&mask, SIGPROF);
	sigaddset(&mask, SIGTERM);
	pthread_attr_init(&attr);
	pthread_attr_setsigmask_np(&attr, &mask);
	r = pthread_create(&id, &attr, thread_state, NULL);
	pthread_join(id, NULL);
	pthread_attr_destroy(&attr);
	return r;
}

static int
c11(void *arg)
{
	load_burn(0.01);
	return *(int *)arg;
}

CALL(c11_thread)
{
	int n = 33, r = 0;
	thrd_t id;

	if (thrd_create(&id, c11, &n) != thrd_success)
		return -1;
	thrd_join(id, &r);
	return r;
}

CALL(c11_exit)
{
	int n = 34, r = 0;
	thrd_t id;

	if (thrd_create(&id, (thrd_start_t)(void *)thrd_exit, (void *)35L) !=
	    thrd_success)
		return -1;
	thrd_join(id, &r);
	return r + n;
}

static int
cloned(void *arg)
{
	load_spin(10000000);
	*(volatile int *)arg = 36;
	return 37;
}

CALL(clone_shared)
{
	static char stack[65536] __attribute__((aligned(16)));
	static volatile int mark;
	pid_t pid = clone(cloned, stack + sizeof(stack), CLONE_VM | SIGCHLD,
	    (void *)&mark);
	long r = same_waited(pid);

	return r + mark;
}

CALL(library)
{
	void *handle = dlopen("libm.so.6", RTLD_NOW);

	return handle ? dlclose(handle) : -1;
}

CALL(library_missing) { return dlopen("libnone.so", RTLD_NOW) != NULL; }
CALL(name_get)
{
	char name[17] = "";
	long r = prctl(PR_GET_NAME, name);

	printf("\t%s\n", name);
	return r;
}
CALL(prctl_bad) { return prctl(9999, 1, 2, 3, 4); }
CALL(prctl_nnp) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); }
CALL(setsig)
{
	int fd = open("/dev/null", O_RDONLY);
	long r = fcntl(fd, F_SETSIG, SIGUSR1) * 100 + fcntl(fd, F_GETSIG);

	close(fd);
	return r;
}

static long
left_by(int how)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		load_burn(0.01);
		if (how == 0)
			quick_exit(41);
		if (how == 1)
			_Exit(42);
		if (how == 2)
			abort();
		if (how == 3)
			syscall(SYS_exit_group, 43);
		raise(SIGTERM);
	}
	return same_waited(pid);
}

CALL(left_quick) { return left_by(0); }
CALL(left_Exit) { return left_by(1); }
CALL(left_abort) { return left_by(2) & 0x7f; }
CALL(left_raw) { return left_by(3); }
CALL(left_term) { return left_by(4); }

#define ROW(name) { #name, name }
const struct same_call same_thread[] = {
	ROW(thread_inherits), ROW(thread_attributes), ROW(c11_thread),
	ROW(c11_exit), ROW(clone_shared), ROW(library), ROW(library_missing),
	ROW(name_get), ROW(prctl_bad), ROW(prctl_nnp), ROW(setsig),
	ROW(left_quick), ROW(left_Exit), ROW(left_abort), ROW(left_raw),
	ROW(left_term),
	{ NULL, NULL },
};
