/*
 * Context: S.  Counts CPU time in the histograms that a program has handed to
 * profil(2) and sprofil(3); doc/design/histograms.md.  core/runtime/classic
 * installs them, in a thread of the program; record.c counts in them, in the
 * handler of a tick as a rule.
 */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "base/state.h"
#include "classic/bins.h"

/* One histogram. */
struct histogram {
	/* its range of addresses, and its counters' width */
	struct bins bins;
	void *counters;		/* the program's array */
	/* the array was unmapped, so nothing is counted in it any more */
	_Atomic bool gone;
};

/*
 * The histograms of one owner.  A set in force is never changed, but for
 * `gone`; it is replaced as a whole.  It is not wiped at a fork: the child goes
 * on to count in its copy.
 */
struct histogram_set {
	size_t bytes;		/* size of this set */
	uint64_t period;	/* CPU time, ns, that one count stands for */
	/* counts what no other histogram holds, or NULL */
	struct histogram *rest;
	unsigned count;		/* histograms in of[], without `rest` */
	/* the histograms, by ascending offset; `rest` may stand behind them */
	struct histogram of[];
};

/* The functions that install a set; each has one set of its own. */
enum histogram_owner {
	HISTOGRAM_PROFIL,
	HISTOGRAM_SPROFIL,
	HISTOGRAM_OWNERS
};

/*
 * Returns a set of n histograms, all zero and not in force, or NULL if there is
 * no memory.
 */
struct histogram_set *histogram_make(unsigned n);

/*
 * Puts `set`, or none if it is NULL, in force for the owner, in place of the
 * set before, and waits until no tick counts in that one any more: a second at
 * most, not at all in a frozen process.  The set before is freed then, or left
 * for good if a tick may still use it; the caller must not use it any more.  No
 * signal handler may call it.
 */
void histogram_install(enum histogram_owner owner, struct histogram_set *set);

/* Returns whether any set is in force. */
bool histogram_in_use(void);

/*
 * Counts ns of CPU time of a thread that was met at pc in all sets that are in
 * force: one count for each point that the time passes.  Any thread and any
 * signal handler may call it.
 */
void histogram_count(uintptr_t pc, uint64_t ns);

/*
 * Returns the number of points in [0, ns).  There is one point in each period,
 * at a place that looks random, so that no loop of the program keeps step with
 * them.
 */
uint64_t histogram_count_points(uint64_t ns, uint64_t period);

#endif
