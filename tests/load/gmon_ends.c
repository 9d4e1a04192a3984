/* Context: load.  A -pg program that ends as its argument says: gmon_ends KIND.
 * It has called leaf() a million times by then, 300,000 of it in two threads; fork's child half a
 * million times more, and calls of nobody's before. */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

void _mcleanup(void);

__attribute__((noinline)) unsigned long leaf(unsigned long n);

unsigned long
leaf(unsigned long n)
{
	unsigned long x = n;
	int i;

	for (i = 0; i < 100; i++) {
		x = x * 6364136223846793005u + 7;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static void *
call(void *times)
{
	unsigned long n = (uintptr_t)times, x = 0;

	while (n-- > 0)
		x += leaf(n);
	__asm__ volatile("" : "+r"(x));
	return NULL;
}

static void
forked(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		call((void *)500000);
		exit(0);
	}
	waitpid(pid, &status, 0);
	exit(status != 0);
}

static void
end(const char *kind)
{
	char *const argv[] = {(char *)"true", NULL};

	if (strcmp(kind, "fast") == 0)
		_exit(0);
	if (strcmp(kind, "executed") == 0)
		execvp(argv[0], argv);
	if (strcmp(kind, "terminated") == 0)
		raise(SIGTERM);
	if (strcmp(kind, "aborted") == 0)
		abort();
	if (strcmp(kind, "faulted") == 0)
		*(volatile int *)8 = 1;
	if (strcmp(kind, "forked") == 0)
		forked();
	if (strcmp(kind, "cleaned") == 0) {
		_mcleanup();
		call((void *)77);
	}
}

int
main(int argc, char **argv)
{
	pthread_t thread[2];
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, call, (void *)150000);
	call((void *)700000);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	end(argc > 1 ? argv[1] : "");
	return 0;
}
