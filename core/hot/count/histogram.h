/*
 * Context: S.  The histograms that a program has handed to profil(2) and
 * sprofil(3); doc/internals.md, section 15.
 */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "base/state.h"
#include "bins.h"

struct histogram {
	struct bins bins;
	void *counters;
	_Atomic bool gone;	/* its memory is: it counts no more */
};

/*
 * A set is replaced whole; what is in force is never changed.  Ordinary memory:
 * a fork child counts on in its own copy.
 */
struct histogram_set {
	size_t bytes;		/* of this */
	uint64_t period;	/* ns of CPU time that one count stands for */
	struct histogram *rest;	/* for what is in none of them; or NULL */
	unsigned count;
	struct histogram of[];	/* by offset, ascending */
};

enum histogram_owner {
	HISTOGRAM_PROFIL,
	HISTOGRAM_SPROFIL,
	HISTOGRAM_OWNERS
};

/* A set of n, all zero, not in force.  NULL: no memory. */
struct histogram_set *histogram_make(unsigned n);

/*
 * Put it in force, or none (NULL), in place of what the owner had.  No tick
 * counts in that one any more when this returns, and it is gone.
 */
void histogram_install(enum histogram_owner owner, struct histogram_set *set);

/* Is one in force? */
bool histogram_in_use(void);

/* CPU time of a thread that was met at pc. */
void histogram_count(uintptr_t pc, uint64_t ns);

/*
 * Points in [0, ns): one in each period, at a place in it that looks random, so
 * that no loop of the program keeps step with them.
 */
uint64_t histogram_count_points(uint64_t ns, uint64_t period);

#endif
