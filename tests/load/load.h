/* Context: load.  Clocks, work and a way out for the workload programs. */
#ifndef LOAD_H
#define LOAD_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* 2: the harness tells a workload that could not run from one that failed. */
__attribute__((noreturn, unused)) static void
load_die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(2);
}

/* For calls that must work for the test to mean anything: -1 ends it. */
#define LOAD_TRY(call) do { if ((call) == -1) load_die(#call); } while (0)

__attribute__((unused)) static double
load_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((unused, noinline)) static uint64_t
load_spin(uint64_t n)
{
	uint64_t x = n;

	while (n--) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

/*
 * Returns how many rounds of the work the calling thread does in a second: the
 * best of ten tries, because other programs may interrupt some.
 */
__attribute__((unused)) static double
load_rate(uint64_t (*work)(uint64_t rounds))
{
	double best = 1;
	int i;

	for (i = 0; i < 10; i++) {
		double start = load_clock(CLOCK_THREAD_CPUTIME_ID), took;

		work(100000);
		took = load_clock(CLOCK_THREAD_CPUTIME_ID) - start;
		if (took < best)
			best = took;
	}
	return 100000 / best;
}

/*
 * Use this much CPU time of the calling thread.  Each look at its clock is a
 * call, whose time the coarse clock draws at 4 ms apiece: every 0.3 ms, and
 * closer only near the end, calls are 0.3 % of it and not 3.
 */
__attribute__((unused)) static void
load_burn(double seconds)
{
	double end = load_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	double left;

	while ((left = end - load_clock(CLOCK_THREAD_CPUTIME_ID)) > 0)
		load_spin(left > 0.001 ? 300000 : 30000);
}

__attribute__((unused)) static void
load_sleep(double seconds)
{
	struct timespec t = { (time_t)seconds,
	    (long)((seconds - (double)(time_t)seconds) * 1e9) };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
		;
}

/* The number after the program's name and mode, or what is usual. */
__attribute__((unused)) static double
load_number(int argc, char **argv, int at, double usual)
{
	return argc > at ? atof(argv[at]) : usual;
}

#endif
