/*
 * Context: load.  ends HOW SECONDS: one thread ends by exit(2); the status of
 * the process is that of the thread that ends last.  Prints each child's
 * status; the last way ends this process itself.
 */
#include "load.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static double seconds;

/* Ends by a raw system call, which libmon cannot see. */
__attribute__((noreturn)) static void
end_raw(long call, long status)
{
#ifdef __x86_64__
	__asm__ volatile("syscall" : : "a"(call), "D"(status) : "memory");
#else
	register long x8 __asm__("x8") = call;
	register long x0 __asm__("x0") = status;

	__asm__ volatile("svc #0" : : "r"(x8), "r"(x0) : "memory");
#endif
	__builtin_unreachable();
}

static int
returning(void *status)
{
	load_burn(seconds);
	return *(int *)status;
}

static void *
sleep_on(void *arg)
{
	usleep(100000);
	return arg;
}

static void *
end_by_call(void *arg)
{
	usleep(100000);
	syscall(SYS_exit, 3);
	return arg;
}

/* libc ends a thread of clone(2) by exit(2). */
static int
return_late(void *status)
{
	const struct timespec t = {0, 60000000};

	syscall(SYS_nanosleep, &t, NULL);
	return (int)(intptr_t)status;
}

static void
clone_thread(void)
{
	static char stack[1 << 16] __attribute__((aligned(16)));

	if (clone(return_late, stack + sizeof stack, CLONE_VM | CLONE_FS |
	    CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM,
	    (void *)6) < 0)
		load_die("clone");
}

static void
beside(void *(*fn)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, fn, NULL) != 0)
		load_die("pthread_create");
}

/*
 * Makes a child with memory of its own and one thread, without the handlers of
 * fork(3).
 */
static void
clone_child(void)
{
	static char stack[1 << 18] __attribute__((aligned(16)));
	int status = 5, got;
	pid_t pid = clone(returning, stack + sizeof stack, SIGCHLD, &status);

	if (pid < 0 || waitpid(pid, &got, 0) != pid)
		load_die("clone");
	printf("child %d\n", WIFEXITED(got) ? WEXITSTATUS(got) : -1);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	seconds = argc > 2 ? atof(argv[2]) : 0;
	load_burn(seconds);
	if (strcmp(how, "clone") == 0)
		clone_child();
	else if (strcmp(how, "call") == 0)
		syscall(SYS_exit, 7);
	else if (strcmp(how, "raw") == 0)
		end_raw(SYS_exit, 8);
	else if (strcmp(how, "group") == 0)
		end_raw(SYS_exit_group, 9);
	else if (strcmp(how, "before_thread") == 0) {
		beside(sleep_on);
		end_raw(SYS_exit, 10);
	} else if (strcmp(how, "before_clone") == 0) {
		clone_thread();
		end_raw(SYS_exit, 12);
	} else if (strcmp(how, "before_call") == 0) {
		beside(end_by_call);
		end_raw(SYS_exit, 11);
	} else {
		fprintf(stderr, "ends: %s?\n", how);
		return 2;
	}
	return 0;
}
