/* Context: load.  Mixes user work with system calls, faults, signals and
 * threads that wake each other, in pieces far shorter than a tick.  Prints the
 * CPU time of each part, by the thread's clock, less what a clock call takes:
 * that is time of the clock call, in profiles as well. */
#include "load.h"
#include "part.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>

#define PARTS	4
#define BLOCK	4096

PART(part_a, 1)
PART(part_b, 3)
PART(part_c, 5)
PART(part_d, 7)

static uint64_t (*const parts[PARTS])(uint64_t) = {
	part_a, part_b, part_c, part_d
};
static _Atomic int64_t spent[PARTS];
static double rounds;		/* in a microsecond */
static int64_t call;		/* nanoseconds that a clock call adds */
static char block[BLOCK];

static int64_t
clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
part(int i, double microseconds)
{
	const int64_t start = clock_ns();

	parts[i]((uint64_t)(microseconds * rounds) + 1);
	spent[i] += clock_ns() - start - call;
}

/* The best of some tries, for both. */
static void
calibrate(void)
{
	int64_t start, took, best = INT64_MAX;
	int i, k;

	for (i = 0; i < 10; i++) {
		start = clock_ns();
		part_a(100000);
		took = clock_ns() - start;
		best = took < best ? took : best;
	}
	rounds = 1e8 / (double)best;
	call = INT64_MAX;
	for (i = 0; i < 20; i++) {
		start = clock_ns();
		for (k = 0; k < 1000; k++)
			clock_ns();
		took = (clock_ns() - start) / 1001;
		call = took < call ? took : call;
	}
}

static uint64_t
draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Pieces of 10 to 2010 us, in no order. */
static void
mix(uint64_t seed, double seconds)
{
	const int64_t end = clock_ns() + (int64_t)(seconds * 1e9);

	while (clock_ns() < end) {
		double length = 10 + (double)(draw(&seed) % 2000);
		uint64_t lot = draw(&seed) % 100;

		part(lot < 50 ? 0 : lot < 80 ? 1 : lot < 95 ? 2 : 3, length);
	}
}

/* Mixes work with calls that copy, which spend most time in the kernel. */
static void
pipes(double seconds)
{
	const int64_t end = clock_ns() + (int64_t)(seconds * 1e9);
	int fd[2], i;

	LOAD_TRY(pipe(fd));
	while (clock_ns() < end) {
		for (i = 0; i < 8; i++)
			LOAD_TRY(write(fd[1], block, BLOCK));
		for (i = 0; i < 8; i++)
			LOAD_TRY(read(fd[0], block, BLOCK));
		part(0, 20);
		part(1, 10);
	}
}

/* Mixes work with calls that do next to nothing. */
static void
calls(double seconds)
{
	const int64_t end = clock_ns() + (int64_t)(seconds * 1e9);
	int i;

	while (clock_ns() < end) {
		for (i = 0; i < 500; i++)
			syscall(SYS_getppid);
		part(0, 60);
		part(1, 40);
	}
}

static void
faults(double seconds)
{
	const int64_t end = clock_ns() + (int64_t)(seconds * 1e9);
	const size_t size = 1 << 20;
	size_t i;

	while (clock_ns() < end) {
		char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			load_die("mmap");
		for (i = 0; i < size; i += 4096)
			p[i] = 1;
		munmap(p, size);
		part(0, 100);
		part(1, 100);
	}
}

static void
on_usr1(int sig)
{
	(void)sig;
	part(3, 150);
}

static void
on_alarm(int sig)
{
	(void)sig;
	part(2, 200);
	raise(SIGUSR1);
	part(2, 100);
}

/*
 * Handlers in the midst of a handler: the parts that they interrupt do not
 * measure them, as those run with both signals blocked.
 */
static void
signals(double seconds)
{
	const struct itimerval each = { { 0, 3000 }, { 0, 3000 } }, none = { 0 };
	const int64_t end = clock_ns() + (int64_t)(seconds * 1e9);
	struct sigaction a = { .sa_handler = on_alarm };
	sigset_t both;

	sigaction(SIGALRM, &a, NULL);
	a.sa_handler = on_usr1;
	sigaction(SIGUSR1, &a, NULL);
	sigemptyset(&both);
	sigaddset(&both, SIGALRM);
	setitimer(ITIMER_REAL, &each, NULL);
	while (clock_ns() < end) {
		sigprocmask(SIG_BLOCK, &both, NULL);
		part(0, 300);
		part(1, 200);
		sigprocmask(SIG_UNBLOCK, &both, NULL);
	}
	setitimer(ITIMER_REAL, &none, NULL);
}

static int there[2], back[2];

static void *
answer(void *arg)
{
	char c;

	while (read(there[0], &c, 1) == 1) {
		part(1, 50);
		LOAD_TRY(write(back[1], &c, 1));
	}
	return arg;
}

/* Two threads, one at a time: each sleeps while the other works. */
static void
turns(double seconds)
{
	const double end = load_clock(CLOCK_MONOTONIC) + seconds;
	pthread_t thread;
	char c = 0;

	LOAD_TRY(pipe(there));
	LOAD_TRY(pipe(back));
	if (pthread_create(&thread, NULL, answer, NULL) != 0)
		load_die("pthread_create");
	while (load_clock(CLOCK_MONOTONIC) < end) {
		part(0, 100);
		LOAD_TRY(write(there[1], &c, 1));
		LOAD_TRY(read(back[0], &c, 1));
	}
	close(there[1]);
	pthread_join(thread, NULL);
}

static void
mix_of(double seconds)
{
	mix(88172645463325252u, seconds);
}

static const struct {
	const char *name;
	void (*run)(double seconds);
} kinds[] = {
	{ "mix", mix_of }, { "pipes", pipes }, { "calls", calls },
	{ "faults", faults }, { "signals", signals }, { "turns", turns },
};

/* mixes KIND SECONDS */
int
main(int argc, char **argv)
{
	size_t k;
	int i;

	calibrate();
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		if (argc > 1 && strcmp(argv[1], kinds[k].name) == 0)
			break;
	if (k == sizeof(kinds) / sizeof(kinds[0])) {
		fprintf(stderr, "mixes KIND SECONDS\n");
		return 2;
	}
	kinds[k].run(load_number(argc, argv, 2, 1));
	for (i = 0; i < PARTS; i++)
		if (spent[i] > 0)
			printf("part_%c %.6f\n", 'a' + i,
			    (double)spent[i] / 1e9);
	printf("cpu %.6f\n", load_clock(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
