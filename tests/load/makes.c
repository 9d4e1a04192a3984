/* Context: load.  Makes processes in every way, some in vain, and prints how
 * many there were. */
#include "load.h"

#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <wordexp.h>

extern char **environ;

#ifndef SYS_clone3
#define SYS_clone3 435
#endif

static char stack[65536] __attribute__((aligned(16)));
static volatile int shared;
static int made;
static char word[] = "true", *words[] = { word, NULL };

/* The end of each child; its parent says whether there was one. */
static void
ended(pid_t pid, const char *how)
{
	int error = errno;

	printf("%s: %s\n", how, pid > 0 ? "made" : strerror(error));
	fflush(stdout);
	if (pid <= 0)
		return;
	if (++made > 50)
		_exit(3);	/* it has gone astray */
	if (waitpid(pid, NULL, __WALL) != pid)
		load_die(how);
}

static int
nothing(void *unused)
{
	(void)unused;
	shared++;
	return 0;
}

static long
clone3(uint64_t flags, void *own, size_t bytes)
{
	struct clone_args a = { .flags = flags, .exit_signal = SIGCHLD,
		.stack = (uintptr_t)own, .stack_size = bytes };

	return syscall(SYS_clone3, &a, sizeof(a));
}

#ifdef __x86_64__
/* Where syscall(2) returns to in a child on a stack of its own. */
static void
end_raw(void)
{
	__asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0));
	__builtin_unreachable();
}

static void *
top(void)
{
	void **t = (void **)(void *)(stack + sizeof(stack)) - 2;

	*t = (void *)end_raw;
	return t;
}
#endif

static void
by_libc(void)
{
	pid_t pid;

	errno = 95;
	pid = fork();
	if (pid == 0)
		_exit(errno != 95);
	printf("errno %d\n", errno);
	ended(pid, "fork");
	pid = vfork();
	if (pid == 0)
		_exit(0);
	ended(pid, "vfork");
	ended(clone(nothing, stack + sizeof(stack), SIGCHLD, NULL), "clone");
	ended(clone(nothing, stack + sizeof(stack), SIGCHLD | CLONE_VM, NULL),
	    "clone that shares");
	ended(clone(nothing, stack + sizeof(stack), SIGCHLD | CLONE_SIGHAND,
	    NULL), "clone in vain");
	ended(clone(nothing, stack + sizeof(stack), SIGCHLD | CLONE_VM |
	    CLONE_FS | CLONE_NEWNS, NULL), "clone that shares, in vain");
	if (posix_spawnp(&pid, "true", NULL, NULL, words, environ) == 0)
		ended(pid, "spawn");
	printf("spawn in vain: %d\n", posix_spawn(&pid, "/nowhere/true", NULL,
	    NULL, words, environ));
}

static void
ignore(int sig)
{
	(void)sig;
}

/* The wait of system(3) sets errno: EINTR, and ECHILD. */
static void
by_interrupted_shells(void)
{
	const struct sigaction handled = {.sa_handler = ignore};
	const struct itimerval often = {{0, 5000}, {0, 5000}}, never = {0};

	LOAD_TRY(sigaction(SIGALRM, &handled, NULL));
	LOAD_TRY(setitimer(ITIMER_REAL, &often, NULL));
	made += system("sleep 0.05; exit 3") == 3 << 8;
	LOAD_TRY(setitimer(ITIMER_REAL, &never, NULL));
	signal(SIGCHLD, SIG_IGN);
	made += system("exit 3") == -1;
	signal(SIGCHLD, SIG_DFL);
}

static void
by_shells(void)
{
	wordexp_t w;
	FILE *p;

	errno = 95;
	made += system("exit 3") == 3 << 8;
	printf("system: errno %d\n", errno);
	p = popen("exit 5", "r");
	made += p != NULL;
	printf("popen: %d\n", pclose(p));
	p = popen("exit 5", "x");
	printf("popen in vain: %d\n", p == NULL);
	made += wordexp("$(echo a)", &w, 0) == 0;
	printf("words: %s\n", w.we_wordv[0]);
	printf("no shell: %d\n", wordexp("a $((1+1))", &w, 0));
}

static void
raw(void)
{
	volatile long pid;

#ifdef SYS_fork
	pid = syscall(SYS_fork);
	if (pid == 0)
		_exit(0);
	ended((pid_t)pid, "raw fork");
#endif
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(0);
	ended((pid_t)pid, "raw clone");
	pid = syscall(SYS_clone, SIGCHLD | CLONE_FILES, 0, 0, 0, 0);
	if (pid == 0)
		_exit(0);
	ended((pid_t)pid, "raw clone with descriptors");
	pid = syscall(SYS_clone, SIGCHLD | CLONE_SIGHAND, 0, 0, 0, 0);
	ended((pid_t)pid, "raw clone in vain");
#ifdef __x86_64__
	ended((pid_t)syscall(SYS_clone, SIGCHLD | CLONE_VM | CLONE_FILES,
	    top(), 0, 0, 0), "raw clone that shares");
	ended((pid_t)syscall(SYS_clone, SIGCHLD | CLONE_VM | CLONE_VFORK,
	    top(), 0, 0, 0), "raw clone that shares and waits");
	ended((pid_t)clone3(CLONE_VM, stack, (size_t)((char *)top() - stack)),
	    "clone3 that shares");
	ended((pid_t)clone3(0, stack, (size_t)((char *)top() - stack)),
	    "clone3 on a stack");
#endif
	pid = syscall(SYS_clone, SIGCHLD | CLONE_SIGHAND, stack, 0, 0, 0);
	ended((pid_t)pid, "raw clone on a stack, in vain");
	pid = clone3(0, NULL, 0);
	if (pid == 0)
		_exit(0);
	ended((pid_t)pid, "clone3");
	pid = clone3(CLONE_FILES, NULL, 0);
	if (pid == 0)
		_exit(0);
	ended((pid_t)pid, "clone3 with descriptors");
	/* CLONE_CLEAR_SIGHAND: the kernel has reset all handlers. */
	pid = clone3(0x100000000ull, NULL, 0);
	if (pid == 0) {
		load_burn(0.05);
		_exit(7);
	}
	ended((pid_t)pid, "clone3 without handlers");
	pid = clone3(CLONE_SIGHAND, NULL, 0);
	ended((pid_t)pid, "clone3 in vain");
	pid = clone3(CLONE_VM | CLONE_SIGHAND | CLONE_FS | CLONE_NEWNS, stack,
	    sizeof(stack));
	ended((pid_t)pid, "clone3 on a stack, in vain");
	pid = syscall(SYS_clone3, (void *)8, sizeof(struct clone_args));
	ended((pid_t)pid, "clone3 of nowhere");
	pid = syscall(SYS_clone3, NULL, (size_t)8);
	ended((pid_t)pid, "clone3 of too little");
}

/* A process that may have no more. */
static void
forbidden(void)
{
	const struct rlimit none = { 0, 0 };
	pid_t pid;

	if (setresuid(65534, 65534, 65534) != 0)
		return;
	LOAD_TRY(setrlimit(RLIMIT_NPROC, &none));
	pid = fork();
	ended(pid, "fork");
	pid = vfork();
	ended(pid, "vfork");
#ifdef SYS_vfork
	printf("raw vfork: %ld\n", syscall(SYS_vfork));
#endif
	ended((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0), "raw clone");
	ended((pid_t)clone3(0, NULL, 0), "clone3");
	printf("system: %d\n", system("exit 3"));
	printf("no command: %d\n", system(NULL));
	printf("popen: %d\n", popen("exit 3", "r") == NULL);
	printf("spawn: %d\n", posix_spawn(&pid, "/bin/true", NULL, NULL,
	    words, environ));
}

int
main(void)
{
	setbuf(stdout, NULL);
	load_burn(0.02);
	by_libc();
	by_shells();
	by_interrupted_shells();
	raw();
	load_burn(0.02);
	forbidden();
	printf("children %d\n", made);
	return 0;
}
