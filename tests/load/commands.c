/* Context: load.  Obeys commands: commands [THREADS].  Each line of standard
 * input, `NAME SECONDS`, is CPU time of the main thread in part_NAME, or sleep,
 * or so many blocks of 100 bytes, to keep or to drop; then the line is
 * answered.  `fork N`, `vfork N` and `clone N` make a child in that way, which
 * keeps N blocks and runs part_c for 0.1 s.  Other threads run part_d all
 * along. */
#include "load.h"
#include "part.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

PART(part_a, 1)
PART(part_b, 3)
PART(part_c, 5)
PART(part_d, 7)

static _Atomic bool over;

static void
run(uint64_t (*part)(uint64_t), double seconds)
{
	const double until = load_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;

	while (load_clock(CLOCK_THREAD_CPUTIME_ID) < until)
		part(300000);	/* a look at the clock is a call */
}

static void *
other(void *unused)
{
	while (!atomic_load(&over))
		part_d(20000);
	return unused;
}

/* In a call that a signal ends. */
static void
sleep_for(double seconds)
{
	if (poll(NULL, 0, (int)(seconds * 1000)) != 0)
		load_die("poll");
}

static void *kept[1000];
static int blocks;

static void
keep(int n)
{
	while (n-- > 0 && blocks < 1000)
		kept[blocks++] = malloc(100);
}

/* The last ones first. */
static void
drop(int n)
{
	while (n-- > 0 && blocks > 0)
		free(kept[--blocks]);
}

static int
child(void *blocks_of_it)
{
	keep(*(int *)blocks_of_it);
	run(part_c, 0.1);
	_exit(0);
}

static void
make_child(const char *how, int n)
{
	static char stack[1 << 16] __attribute__((aligned(16)));
	pid_t pid;

	pid = strcmp(how, "clone") == 0 ? clone(child, stack + sizeof stack,
	    SIGCHLD, &n) : strcmp(how, "vfork") == 0 ? vfork() : fork();
	if (pid == 0)
		child(&n);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		load_die(how);
}

int
main(int argc, char **argv)
{
	int i, threads = (int)load_number(argc, argv, 1, 0);
	char name[16];
	double seconds;
	pthread_t id[64];

	for (i = 0; i < threads && i < 64; i++)
		if (pthread_create(&id[i], NULL, other, NULL) != 0)
			load_die("pthread_create");
	while (scanf("%15s %lf", name, &seconds) == 2) {
		if (strcmp(name, "sleep") == 0)
			sleep_for(seconds);
		else if (strcmp(name, "keep") == 0)
			keep((int)seconds);
		else if (strcmp(name, "drop") == 0)
			drop((int)seconds);
		else if (strstr(name, "fork") != NULL ||
		    strcmp(name, "clone") == 0)
			make_child(name, (int)seconds);
		else
			run(name[0] == 'a' ? part_a : name[0] == 'b' ? part_b :
			    part_c, seconds);
		printf("%s\n", name);
		fflush(stdout);
	}
	atomic_store(&over, true);
	for (i = 0; i < threads && i < 64; i++)
		pthread_join(id[i], NULL);
	return 0;
}
