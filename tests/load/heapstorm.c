/*
 * Context: O.  Storms upon threads that allocate: of signals, beside a malloc
 * that handlers may call (heapsafe_lib.c), of threads that end oddly, want of
 * memory.
 *
 * heapstorm CASE N THREADS: prints "key value" lines of what it asked for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIVE	64

static unsigned long times;
static atomic_ulong blocks, mapped, wrong;
static _Thread_local volatile sig_atomic_t out_of, is_child;
static _Thread_local sigjmp_buf back;
static void (*volatile on_signal)(void);

static void
handle(int sig)
{
	(void)sig;
	on_signal();
}

static void
do_nothing(void)
{
}

static void
allocate(void)
{
	void *volatile p = malloc(40);

	if (p == NULL)
		wrong++;
	free(p);
}

static void
map(void)
{
	void *p = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	    0);

	if (p == MAP_FAILED || munmap(p, 8192) != 0)
		wrong++;
	mapped++;
}

static void
jump(void)
{
	if (out_of)
		siglongjmp(back, 1);
}

/* Upon that malloc all threads but this are gone in the child. */
static void
fork_here(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		is_child = 1;
	} else {
		wrong += waitpid(pid, &status, 0) != pid || status != 0;
	}
}

/* The calling thread's signal, the first amid its first call. */
static void
begin_storm(timer_t *timer, long ns)
{
	struct sigevent e;
	const struct itimerspec when = { { 0, ns }, { 0, 20000 } };

	memset(&e, 0, sizeof e);
	e.sigev_notify = SIGEV_THREAD_ID;
	e.sigev_signo = SIGUSR1;
	e._sigev_un._tid = gettid();
	if (timer_create(CLOCK_MONOTONIC, &e, timer) != 0 ||
	    timer_settime(*timer, 0, &when, NULL) != 0)
		_exit(4);
}

/* A block of a call that a jump leaves is nobody's. */
static void
one(void *volatile *live, unsigned long i)
{
	unsigned k = (unsigned)(i * 2654435761u >> 8) % LIVE;
	void *p = live[k];

	live[k] = NULL;
	if (i % 3 == 0) {
		live[k] = realloc(p, i % 700 + 1);
	} else {
		free(p);
		live[k] = malloc(i % 300);
	}
	blocks++;
}

/* Leaves calls that map, of which heapsafe_lib.c has none. */
static void
one_page(void *volatile *live, unsigned long i)
{
	unsigned k = (unsigned)(i * 2654435761u >> 8) % LIVE;
	void *p = live[k];

	live[k] = NULL;
	if (p != NULL)
		munmap(p, 4096);
	p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	live[k] = p == MAP_FAILED ? NULL : p;
	blocks++;
}

/* A child goes on where its parent was, and ends. */
static void
end_child(void *volatile *live)
{
	unsigned long i;

	for (i = 0; i < 1000; i++)
		one(live, i);
	_exit(0);
}

static void (*volatile step)(void *volatile *, unsigned long) = one;

static void *
work(void *unused)
{
	void *volatile live[LIVE] = { NULL };
	volatile unsigned long i;
	timer_t timer;

	(void)unused;
	begin_storm(&timer, on_signal == fork_here ? 5000000 : 41000);
	for (i = 0; i < times; i++) {
		if (sigsetjmp(back, 1) == 0) {
			out_of = 1;
			step(live, i);
		}
		out_of = 0;
		if (is_child)
			end_child(live);
	}
	timer_delete(timer);
	return NULL;
}

/* Until it is cancelled, amid a call as well, or, without a word, ends. */
static void *
brief(void *ends)
{
	void *volatile live[LIVE] = { NULL };
	unsigned long i;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (i = 0; ends == NULL || i < 20; i++)
		one(live, i);
	syscall(SYS_exit, 0);
	return NULL;
}

static void
come_and_go(bool cancel)
{
	const struct timespec a_while = { 0, 200000 };
	pthread_t thread[8];
	unsigned long i, k;

	for (i = 0; i < times; i += 8) {
		for (k = 0; k < 8; k++)
			pthread_create(&thread[k], NULL, brief, cancel ? NULL :
			    thread);
		nanosleep(&a_while, NULL);
		for (k = 0; k < 8 && cancel; k++)
			pthread_cancel(thread[k]);
		for (k = 0; k < 8; k++)
			pthread_join(thread[k], NULL);
	}
}

static pthread_barrier_t barrier;
static pthread_key_t key;

/* Some rounds behind its thread's end. */
static void
destroy(void *p)
{
	static _Thread_local unsigned round;

	free(p);
	if (round++ < 3) {
		pthread_setspecific(key, malloc(33));
		blocks++;
	}
}

static void *
at_once(void *unused)
{
	void *volatile live[LIVE] = { NULL };
	unsigned long i;

	(void)unused;
	pthread_setspecific(key, malloc(33));
	blocks++;
	for (i = 0; i < 20; i++)
		one(live, i);
	pthread_barrier_wait(&barrier);
	for (i = 0; i < LIVE; i++)
		free(live[i]);
	return NULL;
}

static void
all_at_once(unsigned threads)
{
	pthread_t *thread = calloc(threads, sizeof *thread);
	pthread_attr_t attr;
	unsigned i;

	blocks++;
	pthread_key_create(&key, destroy);
	pthread_barrier_init(&barrier, NULL, threads);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	for (i = 0; i < threads; i++)
		if (pthread_create(&thread[i], &attr, at_once, NULL) != 0)
			_exit(5);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	free(thread);
}

/* All that so many MiB of addresses have, and what it is told when they end. */
static void
be_greedy(void)
{
	const struct rlimit room = { times << 20, times << 20 };
	static void *p[1 << 16];
	unsigned long n = 0;

	setrlimit(RLIMIT_AS, &room);
	errno = 0;
	while (n < 1 << 16 && (p[n] = malloc(64000)) != NULL)
		n++;
	printf("errno %d\n", errno);
	errno = 0;
	printf("none %d\n", realloc(p[0], SIZE_MAX / 4) == NULL);
	printf("errno %d\n", errno);
	while (n > 0)
		free(p[--n]);
	p[0] = malloc(64000);
	printf("again %d\n", p[0] != NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "calm", do_nothing }, { "nested", allocate }, { "jumping", jump },
	{ "forking", fork_here }, { "mapping", jump },
	{ "maps", map },
};

static void
storm_of_signals(unsigned threads)
{
	struct sigaction sa;
	pthread_t thread[64];
	unsigned i;
	void *outlives = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE |
	    MAP_ANONYMOUS, -1, 0);

	memset(&sa, 0, sizeof sa);
	sa.sa_handler = handle;
	sigaction(SIGUSR1, &sa, NULL);
	for (i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	munmap(outlives, 1 << 20);
}

int
main(int argc, char **argv)
{
	static char text[4096];		/* stdio asks for none */
	unsigned i, threads;

	if (argc != 4)
		return 2;
	setvbuf(stdout, text, _IOFBF, sizeof text);
	for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (strcmp(cases[i].name, argv[1]) == 0)
			on_signal = cases[i].run;
	if (strcmp(argv[1], "mapping") == 0)
		step = one_page;
	times = strtoul(argv[2], NULL, 10);
	threads = (unsigned)strtoul(argv[3], NULL, 10);
	if (strcmp(argv[1], "at_once") == 0)
		all_at_once(threads);
	else if (strcmp(argv[1], "greedy") == 0)
		be_greedy();
	else if (strcmp(argv[1], "cancelled") == 0)
		come_and_go(true);
	else if (strcmp(argv[1], "ended") == 0)
		come_and_go(false);
	else if (on_signal == NULL || threads > 64)
		return 2;
	else
		storm_of_signals(threads);
	printf("wrong %lu\nblocks %lu\nmapped %lu\n", wrong, blocks, mapped);
	return wrong != 0;
}
