/* Context: O.  How sure a share of the time is. */
#ifndef SAMPLING_ERROR_H
#define SAMPLING_ERROR_H

#include "base/model.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define SAMPLING_ERROR_COLUMNS	6	/* of sampling_error_put() */
#define SAMPLING_ERROR_Z	1.96	/* standard deviations: 95 of 100 */

/*
 * Computes the distance from a share to the farther end of the interval in
 * which 95 of 100 true shares lie, in percent of `total`, for a share of `ns`
 * that rests on that many samples of m.  sleep: the share is time asleep.
 * Returns false if the share does not come from samples alone.
 */
bool sampling_error_percent(const struct model *m, uint64_t ns,
    uint64_t samples, uint64_t total, bool sleep, double *percent);

/* Prints it in SAMPLING_ERROR_COLUMNS columns, "-" where there is none. */
void sampling_error_put(FILE *out, const struct model *m, uint64_t ns,
    uint64_t samples, uint64_t total, bool sleep);

#endif
