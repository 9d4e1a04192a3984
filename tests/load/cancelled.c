/*
 * Context: O.  Cancels threads that have slept, and computes for a moment, so
 * that there is a profile: no hook sees the ends of these threads.
 */
#include "load.h"

#include <pthread.h>
#include <unistd.h>

#define THREADS	4

static void *
sleep_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int
main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		LOAD_TRY(-pthread_create(&t[i], NULL, sleep_for_ever, NULL));
	usleep(300000);
	for (int i = 0; i < THREADS; i++) {
		LOAD_TRY(-pthread_cancel(t[i]));
		LOAD_TRY(-pthread_join(t[i], NULL));
	}
	load_burn(0.1);
	return 0;
}
