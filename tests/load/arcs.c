/* Context: load.  Calls of every kind, always the same ones; built by the tests
 * with -pg and the like, with arcs_lib.c as a shared library.  arcs: each kind
 * once, on one thread. arcs THREADS CALLS: prints `caller callee calls` of what
 * its threads did. */
#include "arcs.h"

#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static volatile unsigned long sum;
static void *root;

WHOLE unsigned
tip(unsigned x)
{
	KEEP(x);
	return x + 1;
}

/* Recursion, to itself and to each other. */
WHOLE unsigned
fib(unsigned n)
{
	KEEP(n);
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static unsigned odd(unsigned n);

static WHOLE unsigned
even(unsigned n)
{
	unsigned below = n == 0 ? 1 : odd(n - 1);

	KEEP(below);
	return below;
}

static WHOLE unsigned
odd(unsigned n)
{
	unsigned below = n == 0 ? 0 : even(n - 1);

	KEEP(below);
	return below;
}

/* Jumps, where the compiler optimises: all return to first(), so it calls them
 * all. */
static WHOLE unsigned
last(unsigned n)
{
	return tip(n) + 1;
}

static WHOLE unsigned
third(unsigned n)
{
	return n % 3 == 0 ? last(n) : tip(n);
}

static WHOLE unsigned
second(unsigned n)
{
	KEEP(n);
	return third(n + 1);
}

WHOLE unsigned
first(unsigned n)
{
	unsigned x = second(n);

	KEEP(x);
	return x;
}

/* By pointers. */
static WHOLE unsigned
twice(unsigned n)
{
	KEEP(n);
	return 2 * n;
}

static unsigned (*volatile table[])(unsigned) = {tip, twice, fib};

static WHOLE unsigned
dispatch(unsigned i)
{
	return table[i % 3](i % 7);
}

static WHOLE unsigned
indirect(unsigned i)
{
	unsigned x = table[i % 3](i % 5);

	KEEP(x);
	return x;
}

/* From libc. */
static WHOLE int
compare(const void *left, const void *right)
{
	unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;

	tip(a);
	return a < b ? -1 : a > b;
}

static WHOLE void
sorted(void)
{
	unsigned x[200], i;
	size_t n = 200;

	for (i = 0; i < 200; i++)
		x[i] = i * 7919 % 211;
	qsort(x, 200, sizeof x[0], compare);
	for (i = 0; i < 50; i++)
		sum += lfind(&i, x, &n, sizeof x[0], compare) != NULL;
	for (i = 0; i < 100; i++)
		tsearch(&x[i], &root, compare);
	for (i = 0; i < 100; i++)
		tdelete(&x[i], &root, compare);
}

/* Frames that never return. */
static WHOLE void
leave(int depth)
{
	tip((unsigned)depth);
	if (depth == 0)
		longjmp(back, 1);
	leave(depth - 1);
	__asm__ volatile("");
}

static WHOLE void
jumps(void)
{
	volatile int i;

	for (i = 0; i < 100; i++)
		if (setjmp(back) == 0)
			leave(i % 10);
	tip(0);
}

static WHOLE void
handler(int sig)
{
	tip((unsigned)sig);
	if (sig == SIGUSR1)
		raise(SIGUSR2);
	__asm__ volatile("");
}

static WHOLE void
signals(void)
{
	int i;

	signal(SIGUSR1, handler);
	signal(SIGUSR2, handler);
	for (i = 0; i < 20; i++)
		raise(SIGUSR1);
}

/* There and back again. */
static WHOLE void
visit(unsigned n, void *to)
{
	*(unsigned *)to += tip(n);
}

static WHOLE void
library(void)
{
	unsigned n = 0;

	lib_each(30, visit, &n);
	sum += n + lib_sum(12) + lib_depth(7);
}

/* Has the name of a function in the library, and is no kin of it. */
static WHOLE unsigned
helper(unsigned n)
{
	KEEP(n);
	return n + 3;
}

static WHOLE __attribute__((constructor)) void
early(void)
{
	sum += helper(1);
}

static WHOLE __attribute__((destructor)) void
late(void)
{
	sum += helper(2) + helper(3);
}

static WHOLE void
at_end(void)
{
	sum += helper(4);
}

static WHOLE void
single(void)
{
	unsigned i;

	sum += fib(12) + even(31);
	for (i = 0; i < 40; i++)
		sum += first(i) + dispatch(i) + indirect(i) + helper(i);
	sorted();
	jumps();
	signals();
	library();
}

/* Threads: each arc is one of several threads' at once. */
static unsigned long calls;

static WHOLE unsigned
shared(unsigned n)
{
	KEEP(n);
	return tip(n) + n;
}

static WHOLE void *
one(void *arg)
{
	unsigned long i;

	for (i = 0; i < calls; i++)
		tip(shared((unsigned)i));
	return arg;
}

static WHOLE void *
other(void *arg)
{
	unsigned long i;

	for (i = 0; i < calls; i++)
		lib_sum(shared((unsigned)i) % 2);
	return arg;
}

static WHOLE void
threads(unsigned long n)
{
	pthread_t id[64];
	unsigned long i, ones = (n + 1) / 2;

	for (i = 0; i < n; i++)
		if (pthread_create(&id[i], NULL, i % 2 == 0 ? one : other,
		    NULL) != 0)
			exit(3);
	for (i = 0; i < n; i++)
		pthread_join(id[i], NULL);
	printf("libc.so.6 one %lu\nlibc.so.6 other %lu\n", ones, n - ones);
	printf("one tip %lu\none shared %lu\n", ones * calls, ones * calls);
	printf("other shared %lu\nshared tip %lu\nother lib_sum %lu\n",
	    (n - ones) * calls, n * calls, (n - ones) * calls);
}

int
main(int argc, char **argv)
{
	unsigned long n = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;

	atexit(at_end);
	calls = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	if (n > 64)
		return 2;
	if (n == 0)
		single();
	else
		threads(n);
	return 0;
}
