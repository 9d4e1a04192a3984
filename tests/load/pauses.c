/* Context: load.  A program that has its profile paused, by moncontrol(3).
 * pauses KIND: prints for `seen` and `unseen` the calls and the CPU time, in
 * ns, and what moncontrol returned. */
#include "load.h"

#include <pthread.h>
#include <sys/wait.h>

#define TURNS	20

int moncontrol(int mode);

__attribute__((noinline)) unsigned long leaf(unsigned long n);
__attribute__((noinline)) unsigned long seen(unsigned long n);
__attribute__((noinline)) unsigned long unseen(unsigned long n);

static unsigned long calls[2];
static uint64_t ns[2];

unsigned long
leaf(unsigned long n)
{
	unsigned long x = n;
	int i;

	for (i = 0; i < 200; i++) {
		x = x * 6364136223846793005u + 7;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

unsigned long
seen(unsigned long n)
{
	return leaf(n) + 1;
}

unsigned long
unseen(unsigned long n)
{
	return leaf(n) + 2;
}

/* Alone in its thread, which is told by its own clock. */
static uint64_t
own_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
phase(int hidden)
{
	uint64_t begin = own_ns(), end = begin + 50000000;

	while (own_ns() < end) {
		calls[hidden]++;
		(hidden ? unseen : seen)(calls[hidden]);
	}
	ns[hidden] += own_ns() - begin;
}

static void *
in_thread(void *hidden)
{
	phase(*(int *)hidden);
	return NULL;
}

/* A thread that is there when it is paused, and one that comes then. */
static void
phase_of_threads(int hidden)
{
	pthread_t thread;

	phase(hidden);
	pthread_create(&thread, NULL, in_thread, &hidden);
	pthread_join(thread, NULL);
}

static void
tell(void)
{
	printf("seen %lu %llu\nunseen %lu %llu\n", calls[0],
	    (unsigned long long)ns[0], calls[1], (unsigned long long)ns[1]);
	fflush(stdout);
}

static void
take_turns(void (*phase_of)(int hidden))
{
	int i, was = 1;

	for (i = 0; i < TURNS; i++) {
		phase_of(i % 2);
		if (moncontrol(i % 2) != was)
			exit(3);
		was = i % 2;
	}
	if (moncontrol(1) != 1 || moncontrol(1) != 1)
		exit(4);
}

/* A child is paused as its maker is. */
static void
take_turns_forked(void)
{
	int status = 0;

	phase(0);
	moncontrol(0);
	if (fork() == 0) {
		calls[0] = 0;
		ns[0] = 0;
		phase(1);
		if (moncontrol(1) != 0)
			exit(5);
		phase(0);
		tell();
		exit(0);
	}
	wait(&status);
	if (status != 0)
		exit(6);
	moncontrol(1);
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";

	if (strcmp(kind, "turns") == 0)
		take_turns(phase);
	else if (strcmp(kind, "threads") == 0)
		take_turns(phase_of_threads);
	else if (strcmp(kind, "forked") == 0)
		take_turns_forked();
	else
		return 2;
	if (strcmp(kind, "forked") != 0)
		tell();
	return 0;
}
