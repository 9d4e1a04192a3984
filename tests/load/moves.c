/*
 * Context: load.  moves CALLS THREADS: calls setns(2) CALLS times beside
 * threads that sleep; half of the calls fail, and half enter the namespace
 * where the caller is.
 */
#include "load.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>

static void *
sleep_on(void *arg)
{
	pause();
	return arg;
}

int
main(int argc, char **argv)
{
	long calls = (long)load_number(argc, argv, 1, 1000);
	long threads = (long)load_number(argc, argv, 2, 100);
	long i, refused = 0, went = 0;
	pthread_attr_t attr;
	pthread_t thread;
	int fd = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (i = 0; i < threads; i++)
		if (pthread_create(&thread, &attr, sleep_on, NULL) != 0)
			load_die("pthread_create");
	for (i = 0; i < calls; i++) {
		refused += setns(fd, 0x77) != 0;
		went += setns(fd, 0) == 0;
	}
	printf("moves refused %ld went %s\n", refused,
	    went == calls ? "all" : went == 0 ? "none" : "some");
	return 0;
}
