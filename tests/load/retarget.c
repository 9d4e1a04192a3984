/* Context: load.  A signal of the whole process beside threads that sleep: the
 * first thread burns, a timer of its own interrupts it, two wait in epoll_wait
 * and block nothing.  retarget virtual|prof|real PERIOD_US SECONDS prints how
 * many signals came, how many to a sleeper, and how many calls it ended. */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/time.h>

static const struct {
	const char *name;
	int which, sig;
} timers[] = {
	{"virtual", ITIMER_VIRTUAL, SIGVTALRM},
	{"prof", ITIMER_PROF, SIGPROF},
	{"real", ITIMER_REAL, SIGALRM},
};

static atomic_ulong signals, elsewhere, ended;
static pthread_t burner;

static void
handler(int sig)
{
	(void)sig;
	signals++;
	if (!pthread_equal(pthread_self(), burner))
		elsewhere++;
}

static void *
wait_for_nothing(void *unused)
{
	struct epoll_event event;
	int fd;

	(void)unused;
	LOAD_TRY(fd = epoll_create1(0));
	for (;;) {
		if (epoll_wait(fd, &event, 1, -1) == -1)
			ended++;
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	long us = (long)load_number(argc, argv, 2, 10000);
	struct itimerval v = {{us / 1000000, us % 1000000},
	    {us / 1000000, us % 1000000}};
	struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART};
	pthread_t sleeper;
	size_t i;

	for (i = 0; i < 3 && argc > 1 && strcmp(argv[1], timers[i].name); i++)
		;
	if (argc < 2 || i == 3)
		return 2;
	burner = pthread_self();
	LOAD_TRY(sigaction(timers[i].sig, &a, NULL));
	pthread_create(&sleeper, NULL, wait_for_nothing, NULL);
	pthread_create(&sleeper, NULL, wait_for_nothing, NULL);
	LOAD_TRY(setitimer((__itimer_which_t)timers[i].which, &v, NULL));
	load_burn(load_number(argc, argv, 3, 4));
	printf("signals %lu elsewhere %lu ended %lu\n", signals, elsewhere,
	    ended);
	return 0;
}
