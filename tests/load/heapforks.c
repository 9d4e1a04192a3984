/*
 * Context: O.  Handlers that fork wherever the program is, mostly amid an
 * allocation, and once more in the child.  Each child goes on with what its
 * parent was at.
 *
 * heapforks LEVELS FORKS: allocations by 4,096 paths, as these are looked for
 * longest.
 */
#include "bits.h"
#include "load.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#define BITS	12u

static void *volatile block;
static volatile int levels, left, level, wrong;

/* Once, at another moment each time. */
static void
begin_timer(void)
{
	static unsigned random = 7;
	struct itimerval when = { { 0, 0 }, { 0, 0 } };

	random = random * 1664525u + 1013904223u;
	when.it_value.tv_usec = 100 + (random >> 16) % 300;
	setitimer(ITIMER_REAL, &when, NULL);
}

static void
fork_here(int sig)
{
	int status;
	pid_t pid = 0;

	(void)sig;
	while (pid == 0 && level < levels) {
		pid = fork();
		if (pid == 0)
			level++;
		else if (waitpid(pid, &status, 0) != pid || status != 0)
			wrong++;
	}
	if (level == 0 && --left > 0)
		begin_timer();
}

__attribute__((noinline)) static void
ask(size_t n)
{
	free(block = malloc(n));
	__asm__ volatile("" ::: "memory");
}

int
main(int argc, char **argv)
{
	struct sigaction act = { .sa_handler = fork_here };
	unsigned random = 1, i = 0;

	levels = (int)load_number(argc, argv, 1, 1);
	left = (int)load_number(argc, argv, 2, 100);
	LOAD_TRY(sigaction(SIGALRM, &act, NULL));
	begin_timer();
	while (level == 0 ? left > 0 : ++i < 200) {
		random = random * 1664525u + 1013904223u;
		zero(random >> 8, BITS, 16);
	}
	if (level != 0)
		_exit(wrong != 0);
	printf("wrong %d\n", wrong);
	return 0;
}
