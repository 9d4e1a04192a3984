/* Context: load.  A program that is not compiled for counting, and what is:
 * calls_odd KIND [N].  Its library is calls_odd_lib.c. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STACK	(1u << 20)

void __cyg_profile_func_enter(void *function, void *site);
double odd_add(double a, double b, double c, double d, double e, double f,
    double g, double h);
int odd_pick(void);

/* Places to call from, and to: text that nobody runs. */
__asm__(".pushsection .text\n\t.type places, @function\nplaces:\n"
    "\t.skip 1 << 19\n\t.size places, . - places\n\t.popsection");
extern char places[];

static volatile sig_atomic_t stop, begun, ended;
static volatile unsigned long handled;
static unsigned long limit;

/* A call of 100 functions from `sites` places each; i says which. */
static void
call(unsigned long i, unsigned long sites, unsigned long base)
{
	char *text = places + base;

	__cyg_profile_func_enter(text + i % 100, text + 100 + i / 100 % sites);
}

static void
on_signal(int sig)
{
	(void)sig;
	call(handled++, 1000, 0);
}

static void *
make_arcs(void *unused)
{
	unsigned long i;

	(void)unused;
	begun = 1;
	for (i = 0; i < limit; i++)
		call(i, 1000, 2000);
	stop = 1;
	return NULL;
}

/* A handler that has new arcs comes upon a thread that makes some. */
static void
handler(int sig)
{
	struct sigaction act;
	pthread_t thread;

	memset(&act, 0, sizeof act);
	act.sa_handler = on_signal;
	sigaction(sig, &act, NULL);
	pthread_create(&thread, NULL, make_arcs, NULL);
	while (!begun)
		sched_yield();
	while (!stop)
		pthread_kill(thread, sig);
	pthread_join(thread, NULL);
	printf("calls %lu\n", limit + handled);
}

static int
body(void *unused)
{
	make_arcs(unused);
	ended = 1;
	return 0;
}

/* Two threads that have one set of thread-local variables. */
static void
shared(void)
{
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long i;

	if (clone(body, stack + STACK, CLONE_VM | CLONE_FS | CLONE_FILES |
	    CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, NULL) < 0)
		exit(3);
	while (!begun)
		sched_yield();
	for (i = 0; i < limit; i++)
		call(i, 1000, 300000);
	while (!ended)
		usleep(1000);
	usleep(50000);
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";

	limit = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
	if (strcmp(kind, "vectors") == 0)
		printf("%g\n", odd_add(1, 2, 3, 4, 5, 6, 7, 8));
	else if (strcmp(kind, "resolver") == 0)
		printf("%d\n", odd_pick());
	else if (strcmp(kind, "load") == 0)
		printf("%d\n", dlopen(argv[2], RTLD_NOW) != NULL);
	else if (strcmp(kind, "handler") == 0)
		handler(argc > 3 ? atoi(argv[3]) : SIGTRAP);
	else if (strcmp(kind, "shared") == 0)
		shared();
	else if (strcmp(kind, "nowhere") == 0)
		call(0, 1, 0), __cyg_profile_func_enter(NULL, NULL);
	else
		return 2;
	return 0;
}
