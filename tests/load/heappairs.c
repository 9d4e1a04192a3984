/*
 * Context: O.  Measures the cost of an allocation: N pairs of malloc and free a
 * thread, 1,024 blocks live, from a place so many frames deep.
 *
 * heappairs N THREADS DEPTH: prints ns of CPU time a pair, and of the clock.
 */
#include "load.h"

#include <pthread.h>
#include <stdlib.h>

#define LIVE	1024

static unsigned long times;
static unsigned depth;

__attribute__((noinline)) static void
pairs(unsigned seed)
{
	static _Thread_local void *live[LIVE];
	unsigned long i;

	for (i = 0; i < times; i++) {
		unsigned k;

		seed = seed * 1664525 + 1013904223;
		k = seed >> 22;
		free(live[k]);
		live[k] = malloc(16 + (seed >> 8 & 255));
	}
}

__attribute__((noinline)) static void
deep(unsigned n, unsigned seed)
{
	if (n == 0)
		pairs(seed);
	else
		deep(n - 1, seed);
	__asm__ volatile("" ::: "memory");	/* no jump in place of a call */
}

static void *
work(void *seed)
{
	deep(depth, (unsigned)(uintptr_t)seed);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t thread[64];
	unsigned threads = (unsigned)load_number(argc, argv, 2, 1);
	double cpu, real;
	uintptr_t i;

	times = (unsigned long)load_number(argc, argv, 1, 3000000);
	depth = (unsigned)load_number(argc, argv, 3, 4);
	cpu = load_clock(CLOCK_PROCESS_CPUTIME_ID);
	real = load_clock(CLOCK_MONOTONIC);
	for (i = 1; i < threads && i < 64; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i) != 0)
			load_die("pthread_create");
	work((void *)64);
	for (i = 1; i < threads && i < 64; i++)
		pthread_join(thread[i], NULL);
	printf("cpu %.3f\nreal %.3f\n",
	    (load_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu) * 1e9 /
	    (double)times / threads,
	    (load_clock(CLOCK_MONOTONIC) - real) * 1e9 / (double)times);
	return 0;
}
