/*
 * Context: O.  Threads that let themselves be cancelled at any instruction end,
 * and are cancelled at about that moment.  Then it computes and sleeps.
 * Prints the number of those that were cancelled, and how long the first thread
 * was without a processor.
 */
#include "load.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static _Atomic unsigned begun;

static void *
end_at_once(void *unused)
{
	int before;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
	begun++;
	return unused;
}

int
main(int argc, char **argv)
{
	const unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
	const double from = load_clock(CLOCK_MONOTONIC);
	unsigned cancelled = 0;
	pthread_t t;
	void *ret;

	for (unsigned i = 0; i < n; i++) {
		const unsigned before = begun;

		LOAD_TRY(-pthread_create(&t, NULL, end_at_once, NULL));
		while (begun == before)
			sched_yield();
		for (volatile unsigned wait = i % 97 * 10; wait > 0; wait--)
			;
		pthread_cancel(t);
		LOAD_TRY(-pthread_join(t, &ret));
		cancelled += ret == PTHREAD_CANCELED;
	}
	load_burn(0.2);
	usleep(800000);
	printf("cancelled %u\noff %.6f\n", cancelled,
	    load_clock(CLOCK_MONOTONIC) - from -
	    load_clock(CLOCK_THREAD_CPUTIME_ID));
	return 0;
}
