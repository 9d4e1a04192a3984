/*
 * Context: O.  Allocations that it knows: what is given out, live and
 * temporary, and the most that was live at once, by its own count.
 *
 * heaps CASE N THREADS: each thread does the case N times.  Prints "key value"
 * lines of what was asked for by these, all threads together.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_ulong total_bytes, total_blocks, live_bytes, live_blocks,
    temporary_blocks, resized_blocks;
static unsigned long times;
static pthread_barrier_t barrier;

static void
more(unsigned long n)
{
	total_bytes += n;
	total_blocks++;
	live_bytes += n;
	live_blocks++;
}

static void
less(unsigned long n)
{
	live_bytes -= n;
	live_blocks--;
}

static void
must(int good)
{
	if (!good)
		_exit(3);
}

/* Every function once; nothing is left. */
static void
family(void)
{
	void *p[12];
	size_t i, n[12] = { 10, 20, 0, 48, 64, 128, 256, 100, 5000, 1, 3000000,
	    0 };

	must((p[0] = malloc(n[0])) != NULL);
	must((p[1] = calloc(4, 5)) != NULL);
	must((p[2] = malloc(0)) != NULL);
	must((p[3] = realloc(NULL, n[3])) != NULL);
	must(posix_memalign(&p[4], 64, n[4]) == 0);
	must((p[5] = aligned_alloc(64, n[5])) != NULL);
	must((p[6] = memalign(32, n[6])) != NULL);
	must((p[7] = valloc(n[7])) != NULL);
	must((p[8] = pvalloc(n[8])) != NULL);
	must((p[9] = reallocarray(NULL, 1, 1)) != NULL);
	must((p[10] = malloc(n[10])) != NULL);
	must((p[11] = strdup("0123456789")) != NULL);
	n[11] = 11;
	for (i = 0; i < 12; i++)
		more(n[i]);
	for (i = 0; i < 12; i++) {
		free(p[i]);
		less(n[i]);
	}
	temporary_blocks++;	/* the last one given out is among them */
}

/* One that grows, in place or not, and is freed by realloc. */
static void
growing(void)
{
	size_t n;
	char *p = malloc(1);

	more(1);
	for (n = 2; n <= 1 << 16; n *= 2) {
		must((p = realloc(p, n)) != NULL);
		less(n / 2);
		more(n);
		resized_blocks++;
	}
	must(realloc(p, SIZE_MAX / 4) == NULL);
	must(realloc(p, 0) == NULL);
	less(n / 2);
}

static void
temporary(void)
{
	size_t i;

	for (i = 0; i < 100; i++) {
		void *volatile p = malloc(i);

		more(i);
		free(p);
		less(i);
		temporary_blocks++;
	}
}

static void
leaking(void)
{
	static _Thread_local void *volatile kept;

	kept = malloc(24);
	must(kept != NULL);
	more(24);
}

/* All threads hold theirs at once, and then none does. */
static void
peak(void)
{
	void *p[100];
	size_t i;

	for (i = 0; i < 100; i++) {
		must((p[i] = malloc(1000 + i)) != NULL);
		more(1000 + i);
	}
	pthread_barrier_wait(&barrier);
	for (i = 0; i < 100; i++) {
		free(p[i]);
		less(1000 + i);
	}
	temporary_blocks++;
	pthread_barrier_wait(&barrier);
}

/* Each frees what the one before it was given. */
static void
passed(void)
{
	static _Atomic(void *) box[64];
	static atomic_uint turn;
	unsigned own = atomic_fetch_add(&turn, 1) % 64;
	void *p = malloc(70), *before;

	more(70);
	before = atomic_exchange(&box[own], p);
	if (before != NULL)
		less(70);
	free(before);
}

/* A child of many threads: it asks for memory itself, and ends. */
static void
forking(void)
{
	size_t i;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		for (i = 0; i < 100; i++)
			free(malloc(i));
		_exit(malloc(7) == NULL);
	}
	for (i = 0; i < 1000; i++) {
		void *volatile p = malloc(i);

		more(i);
		free(p);
		less(i);
		temporary_blocks++;
	}
	must(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

/*
 * Known call paths: paths calls keeps, drops and the innermost of deeper, of
 * which the first two call fetch.  Each does something behind its call, so that
 * it stays on the stack.
 */
#define FRAME __attribute__((noinline))

static _Thread_local void *volatile fetched;

FRAME static void
fetch(size_t n)
{
	fetched = malloc(n);
	must(fetched != NULL);
	more(n);
}

FRAME static void
keeps(void)
{
	fetch(40);
	fetched = NULL;		/* lost for good */
}

FRAME static void
drops(void)
{
	fetch(60);
	free(fetched);
	less(60);
	temporary_blocks++;
}

FRAME static void *
deeper(unsigned depth)
{
	void *volatile p = depth == 0 ? malloc(8) : deeper(depth - 1);

	must(p != NULL);
	return p;
}

FRAME static void
paths(void)
{
	void *p = deeper(3);

	more(8);
	keeps();
	drops();
	free(p);
	less(8);
}

/* A thread that lives for one block, which is left. */
static void *
brief(void *p)
{
	*(void **)p = malloc(33);
	more(33);
	return NULL;
}

static void
threading(void)
{
	void *p[8];
	pthread_t thread[8];
	size_t i;

	for (i = 0; i < 8; i++)
		must(pthread_create(&thread[i], NULL, brief, &p[i]) == 0);
	for (i = 0; i < 8; i++) {
		pthread_join(thread[i], NULL);
		free(p[i]);
		less(33);
	}
}

/* Calls from text that comes and goes. */
static void
loading(void)
{
	void *handle = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);

	if (handle != NULL)
		dlclose(handle);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "family", family }, { "growing", growing },
	{ "temporary", temporary }, { "leaking", leaking }, { "peak", peak },
	{ "passed", passed }, { "forking", forking },
	{ "threading", threading }, { "loading", loading },
	{ "paths", paths },
};

static void *
work(void *run)
{
	unsigned long i;

	for (i = 0; i < times; i++)
		(*(void (*const *)(void))run)();
	return NULL;
}

int
main(int argc, char **argv)
{
	static char text[4096];		/* stdio asks for none */
	pthread_t thread[64];
	unsigned i, c, threads;

	if (argc != 4)
		return 2;
	times = strtoul(argv[2], NULL, 10);
	threads = (unsigned)strtoul(argv[3], NULL, 10);
	for (c = 0; c < sizeof cases / sizeof cases[0]; c++)
		if (strcmp(cases[c].name, argv[1]) == 0)
			break;
	if (c == sizeof cases / sizeof cases[0] || threads > 64)
		return 2;
	setvbuf(stdout, text, _IOFBF, sizeof text);
	pthread_barrier_init(&barrier, NULL, threads);
	for (i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, work, (void *)&cases[c].run);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	printf("total_bytes %lu\ntotal_blocks %lu\nlive_bytes %lu\n"
	    "live_blocks %lu\ntemporary_blocks %lu\nresized_blocks %lu\n",
	    total_bytes, total_blocks, live_bytes, live_blocks,
	    temporary_blocks, resized_blocks);
	return 0;
}
