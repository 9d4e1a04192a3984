/*
 * Context: -.  Executions, processes or threads that come and go: comings
 * execs|forks|threads|first N.
 *
 * execs: it execs N times, ./odd and ./even in turn.  forks, threads: N of
 * them, four at a time, which `maker` makes.  first: the first thread ends,
 * another works N ms and forks now and then.  Each does a little.  Its status
 * is 7.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EACH	4

static void
work(long ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);

	do
		for (volatile int i = 0; i < 20000; i++)
			;
	while (clock() < end);
}

static void *
of_thread(void *arg)
{
	work(arg == NULL ? 0 : *(long *)arg);
	return NULL;
}

static void *
last(void *arg)
{
	for (long left = *(long *)arg; left > 0; left -= 100) {
		work(100);
		if (fork() == 0)
			_exit(0);
		wait(NULL);
	}
	exit(7);
}

static int
execs(char **argv, long n)
{
	char count[32], *name = n % 2 == 0 ? "./odd" : "./even";
	char *next[] = { name, argv[1], count, NULL };

	work(1);
	if (n == 0)
		return 7;
	snprintf(count, sizeof(count), "%ld", n - 1);
	execv(name, next);
	return 1;
}

static int
forks(long n)
{
	for (; n > 0; n -= EACH) {
		for (int i = 0; i < EACH; i++)
			if (fork() == 0) {
				work(0);
				_exit(0);
			}
		for (int i = 0; i < EACH; i++)
			wait(NULL);
	}
	return 7;
}

static int
threads(long n)
{
	pthread_t t[EACH];

	prctl(PR_SET_NAME, "maker");
	for (; n > 0; n -= EACH) {
		for (int i = 0; i < EACH; i++)
			if (pthread_create(&t[i], NULL, of_thread, NULL) != 0)
				return 1;
		for (int i = 0; i < EACH; i++)
			pthread_join(t[i], NULL);
	}
	return 7;
}

int
main(int argc, char **argv)
{
	static long n;
	pthread_t t;

	if (argc != 3)
		return 2;
	n = atol(argv[2]);
	if (strcmp(argv[1], "execs") == 0)
		return execs(argv, n);
	if (strcmp(argv[1], "forks") == 0)
		return forks(n);
	if (strcmp(argv[1], "threads") == 0)
		return threads(n);
	if (pthread_create(&t, NULL, last, &n) == 0)
		pthread_exit(NULL);
	return 1;
}
