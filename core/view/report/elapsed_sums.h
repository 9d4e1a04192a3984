/*
 * Context: O.  Prints where the time of all threads went: on a processor,
 * waiting for one, asleep.  report_head.c prints it in the head of a report;
 * the table of time asleep and the HTML page have a row of the waiting.
 */
#ifndef ELAPSED_SUMS_H
#define ELAPSED_SUMS_H

#include "base/model.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Prints a line "elapsed x threads = CPU + waiting + asleep" of the processes
 * of libmon.so whose files say it, and a line on a CPU quota that has stopped
 * them.  elapsed: ns from the beginning of the first to the end of the last.
 * Prints nothing where no file says it, if elapsed is 0, or if the threads have
 * lived less than 10 ms.
 */
void elapsed_sums_print(FILE *out, const struct model *m, uint64_t elapsed);

/*
 * Returns how many threads the processes of libmon.so have had; 0 if some file
 * does not say it or there are none.
 */
size_t elapsed_sums_threads(const struct model *m);

/* How long all threads waited for a processor. */
struct elapsed_waiting {
	uint64_t ns;
	uint64_t error;		/* ns; 0: none that is worth a word */
	bool least;		/* they may have waited longer */
};

/*
 * Returns how long all threads waited for a processor, with the sum and the
 * error of elapsed_sums_print(); all 0 if filters choose some threads, modules,
 * functions or stacks, whose part of it is not known.
 */
struct elapsed_waiting elapsed_sums_waiting(const struct model *m);

/*
 * Returns whether some process ended without a last reading of its clocks and
 * ran on after the one before: elapsed time up to then is the least.
 */
bool elapsed_sums_too_short(const struct model *m);

/* Returns whether threads are known to have slept longer than they ran. */
bool elapsed_sums_mostly_asleep(const struct model *m);

#endif
