/* Context: load.  Short threads, one after the other, beside a timer of CPU
 * time: argv THREADS MS-EACH [ITIMER_PROF-US].  Prints `burned SECONDS`, by the
 * threads' own clocks. */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static double each, burned;

static void *
burn(void *unused)
{
	double t = load_clock(CLOCK_THREAD_CPUTIME_ID);

	load_burn(each);
	burned += load_clock(CLOCK_THREAD_CPUTIME_ID) - t;
	return unused;
}

int
main(int argc, char **argv)
{
	int n = (int)load_number(argc, argv, 1, 100);
	long us = (long)load_number(argc, argv, 3, 0);
	struct itimerval v = {{0, us}, {0, us}};
	pthread_t id;
	int i;

	each = load_number(argc, argv, 2, 20) / 1000;
	signal(SIGPROF, SIG_IGN);
	LOAD_TRY(setitimer(ITIMER_PROF, &v, NULL));
	for (i = 0; i < n; i++) {
		if (pthread_create(&id, NULL, burn, NULL) != 0)
			load_die("pthread_create");
		pthread_join(id, NULL);
	}
	printf("burned %.6f\n", burned);
	return 0;
}
