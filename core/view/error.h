/* Context: O.  How sure a share of the time is. */
#ifndef ERROR_H
#define ERROR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ERROR_COLUMNS	6	/* of error_put() */

/*
 * One standard deviation of a share, in percent of the total, of as many
 * samples as have it: binomial.  False: it is not from samples alone.
 */
static inline bool
error_of(uint64_t ns, uint64_t samples, uint64_t total, double *percent)
{
	const double share = total == 0 ? 0 : (double)ns / (double)total;

	if (samples == 0 || share > 1)
		return false;
	*percent = 100 * share * sqrt((1 - share) / (double)samples);
	return true;
}

static inline void
error_put(FILE *out, uint64_t ns, uint64_t samples, uint64_t total)
{
	double percent;

	if (error_of(ns, samples, total, &percent))
		fprintf(out, "%6.*f", percent < 0.1 ? 2 : 1, percent);
	else
		fprintf(out, "%6s", "-");
}

#endif
