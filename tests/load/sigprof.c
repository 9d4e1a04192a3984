/* Context: load.  A program that has its own use for SIGPROF; every answer must
 * be what it is without us.  sigprof USE, one use a run.  Here are those by
 * clocks and senders. */
#include "sigprof.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>

volatile sig_atomic_t sigprof_count, sigprof_code;
sigset_t sigprof_set;
static volatile sig_atomic_t busy;

void
sigprof_handler(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	sigprof_count++;
	sigprof_code = info->si_code;
}

void
sigprof_install(int flags)
{
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	a.sa_sigaction = sigprof_handler;
	a.sa_flags = SA_SIGINFO | flags;
	LOAD_TRY(sigaction(SIGPROF, &a, NULL));
}

void
sigprof_block(int how)
{
	LOAD_TRY(sigprocmask(how, &sigprof_set, NULL));
}

/*
 * The kernel takes ITIMER_PROF from ticks of the scheduler, not from run
 * time: 1.6 times too many were seen on a busy machine, bare.  None, or twice
 * as many, is what we would do to it.
 */
static const char *
about_fifty(void)
{
	return sigprof_count >= 30 && sigprof_count <= 85 ? "right" : "wrong";
}

/* The program's own profiler: its count against its CPU time. */
void
use_itimer(void)
{
	struct itimerval t = { { 0, 20000 }, { 0, 20000 } }, off, old;

	memset(&off, 0, sizeof(off));
	sigprof_install(SA_RESTART);
	setitimer(ITIMER_PROF, &t, NULL);
	load_burn(1);
	setitimer(ITIMER_PROF, &off, &old);
	printf("interval %ld, ticks %s\n", (long)old.it_interval.tv_usec,
	    about_fifty());
}

void
use_timer(void)
{
	struct sigevent e = { .sigev_notify = SIGEV_SIGNAL,
	    .sigev_signo = SIGPROF, .sigev_value.sival_int = 5 };
	struct itimerspec t = { { 0, 20000000 }, { 0, 20000000 } };
	timer_t id;

	sigprof_install(SA_RESTART);
	LOAD_TRY(timer_create(CLOCK_PROCESS_CPUTIME_ID, &e, &id));
	LOAD_TRY(timer_settime(id, 0, &t, NULL));
	load_burn(1);
	timer_delete(id);
	printf("ticks %s, code %d\n", about_fifty(), (int)sigprof_code);
}

/* A handler that was there before and after each of many sends. */
void
use_kill(void)
{
	int i;

	sigprof_install(0);
	for (i = 0; i < 1000; i++) {
		kill(getpid(), SIGPROF);
		load_spin(10000);
	}
	printf("kill %d code %d\n", (int)sigprof_count, (int)sigprof_code);
	for (i = 0; i < 1000; i++) {
		raise(SIGPROF);
		load_spin(10000);
	}
	printf("raise %d code %d\n", (int)sigprof_count, (int)sigprof_code);
	for (i = 0; i < 1000; i++) {
		pthread_kill(pthread_self(), SIGPROF);
		load_spin(10000);
	}
	printf("pthread_kill %d code %d\n", (int)sigprof_count,
	    (int)sigprof_code);
}

static void *
thread(void *arg)
{
	sigset_t old;

	pthread_sigmask(SIG_BLOCK, NULL, &old);
	while (busy)
		load_spin(10000);
	return sigismember(&old, SIGPROF) ? arg : NULL;
}

/* Each thread has its own view of who is blocked. */
void
use_threads(void)
{
	pthread_t id[4];
	void *blocked;
	int i, right = 0;

	sigprof_install(0);
	busy = 1;
	for (i = 0; i < 4; i++) {
		pthread_sigmask(i % 2 ? SIG_BLOCK : SIG_UNBLOCK, &sigprof_set,
		    NULL);
		pthread_create(&id[i], NULL, thread, &sigprof_set);
	}
	sigprof_block(SIG_UNBLOCK);
	/* One at a time: of two that are pending the kernel keeps one. */
	for (i = 0; i < 200; i++) {
		int turns = 20000, before = sigprof_count;

		pthread_kill(id[(i % 2) * 2], SIGPROF);
		while (sigprof_count == before && turns-- > 0)
			load_sleep(0.0001);
	}
	busy = 0;
	for (i = 0; i < 4; i++) {
		pthread_join(id[i], &blocked);
		right += (blocked != NULL) == (i % 2);
	}
	printf("masks %d signals %s\n", right,
	    sigprof_count == 200 ? "came" : "lost");
}

/* O_ASYNC with F_SETSIG: the way our own fine clock comes. */
void
use_async(void)
{
	int fd[2], i, right = 0;
	char c;

	sigprof_install(0);
	LOAD_TRY(pipe(fd));
	LOAD_TRY(fcntl(fd[0], F_SETOWN, getpid()));
	LOAD_TRY(fcntl(fd[0], F_SETSIG, SIGPROF));
	LOAD_TRY(fcntl(fd[0], F_SETFL, O_ASYNC | O_NONBLOCK));
	for (i = 0; i < 100; i++) {
		load_burn(0.001);
		sigprof_count = 0;
		LOAD_TRY(write(fd[1], "x", 1));
		load_spin(1000);
		right += sigprof_count == 1 && sigprof_code == POLL_IN;
		LOAD_TRY(read(fd[0], &c, 1));
	}
	printf("async %d\n", right);
}

/* Nobody handles it: it kills, and whatever the descriptor's number. */
void
use_async_default(void)
{
	int fd[2];

	LOAD_TRY(pipe(fd));
	LOAD_TRY(fcntl(fd[0], F_SETOWN, getpid()));
	LOAD_TRY(fcntl(fd[0], F_SETSIG, SIGPROF));
	LOAD_TRY(fcntl(fd[0], F_SETFL, O_ASYNC | O_NONBLOCK));
	LOAD_TRY(write(fd[1], "x", 1));
	load_burn(0.01);
	puts("survived");
}

/* A sender from outside finds the handler and interrupts what it must. */
void
use_interrupt(void)
{
	struct timespec t = { 5, 0 };
	int r, error;
	pid_t pid;

	sigprof_install(0);
	load_burn(0.05);
	LOAD_TRY(pid = fork());
	if (pid == 0) {
		load_sleep(0.2);
		kill(getppid(), SIGPROF);
		_exit(0);
	}
	r = nanosleep(&t, &t);
	error = errno;
	waitpid(pid, NULL, 0);
	printf("sleep %d errno %d count %d\n", r, error, (int)sigprof_count);
}

static const struct use {
	const char *name;
	void (*use)(void);
} uses[] = {
#define USE(name) { #name, use_##name },
	SIGPROF_USES(USE)
#undef USE
};

int
main(int argc, char **argv)
{
	size_t i;

	sigemptyset(&sigprof_set);
	sigaddset(&sigprof_set, SIGPROF);
	load_burn(0.02);	/* our clocks are on before the program's */
	for (i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
		if (argc > 1 && strcmp(argv[1], uses[i].name) == 0) {
			uses[i].use();
			load_burn(0.05);
			puts("end");
			return 0;
		}
	for (i = 0; argc == 1 && i < sizeof(uses) / sizeof(uses[0]); i++)
		puts(uses[i].name);
	return argc != 1;
}
