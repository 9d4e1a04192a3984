/*
 * Context: load.  stopped ROUNDS: children that compute and make threads are
 * stopped at some moment of their first 40 ms, as Ctrl-Z does it, and the
 * parent waits until each has stopped, as a shell does.
 */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static void *
burn(void *unused)
{
	load_burn(0.002);
	return unused;
}

static void
work(void)
{
	pthread_t t[2];

	for (;;) {
		for (int i = 0; i < 2; i++)
			LOAD_TRY(-pthread_create(&t[i], NULL, burn, NULL));
		for (int i = 0; i < 2; i++)
			LOAD_TRY(-pthread_join(t[i], NULL));
	}
}

int
main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 30;
	int stopped = 0, status;

	for (int i = 0; i < rounds; i++) {
		const pid_t pid = fork();

		LOAD_TRY(pid);
		if (pid == 0)
			work();
		usleep((useconds_t)(i * 1777 % 40000));
		LOAD_TRY(kill(pid, SIGSTOP));
		LOAD_TRY(waitpid(pid, &status, WUNTRACED));
		stopped += WIFSTOPPED(status);
		LOAD_TRY(kill(pid, SIGKILL));
		LOAD_TRY(waitpid(pid, &status, 0));
	}
	printf("stopped %d\n", stopped);
	return 0;
}
