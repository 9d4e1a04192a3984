/* Context: load.  A shared library with an IFUNC, whose resolver calls
 * functions of libc: the loader runs it before other libraries are
 * relocated. */
#include "load.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static int results[10];

static int
one(void)
{
	return 1;
}

/* The hook of syscall(2) does more for these. */
static void
by_special_numbers(void)
{
	struct rlimit files;
	long pid;

	results[8] = (int)syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL,
	    &files);
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		syscall(SYS_exit_group, 0);
	results[9] = syscall(SYS_wait4, pid, NULL, 0, NULL) == pid;
}

static int (*resolve(void))(void)
{
	const struct timespec t = { 0, 1 };
	struct pollfd none = { .fd = -1 };
	char got[8] = { 0 }, *p;
	int fd[2];

	if (pipe(fd) != 0 || write(fd[1], "abc", 3) != 3)
		return NULL;
	results[0] = (int)read(fd[0], got, sizeof(got));
	results[1] = got[2];
	results[2] = poll(&none, 1, 0);
	results[3] = nanosleep(&t, NULL);
	results[4] = syscall(SYS_getpid) == getpid();
	close(fd[0]);
	close(fd[1]);
	p = malloc(100);
	results[5] = p != NULL;
	free(p);
	p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	results[6] = p != MAP_FAILED;
	results[7] = munmap(p, 4096);
	by_special_numbers();
	return one;
}

static int picked(void) __attribute__((ifunc("resolve")));
void resolves_print(void);

void
resolves_print(void)
{
	/* The loader must find this address when it relocates us. */
	static int (*volatile function)(void) = picked;
	int i;

	printf("%d:", function());
	for (i = 0; i < 10; i++)
		printf(" %d", results[i]);
	printf("\n");
}
