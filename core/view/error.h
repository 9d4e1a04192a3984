/* Context: O.  How sure a share of the time is. */
#ifndef ERROR_H
#define ERROR_H

#include "model.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ERROR_COLUMNS	6	/* of error_put() */
#define ERROR_SURE	1.96	/* standard deviations: 95 of 100 */

/*
 * Computes the distance from a share to the farther end of the interval in
 * which 95 of 100 true shares lie, in percent of `total`, for a share of `ns`
 * that rests on that many samples of m.  sleep: the share is time asleep.
 * Returns false if the share does not come from samples alone.
 */
bool error_of(const struct model *m, uint64_t ns, uint64_t samples,
    uint64_t total, bool sleep, double *percent);

/* Prints it in ERROR_COLUMNS columns, "-" where there is none. */
void error_put(FILE *out, const struct model *m, uint64_t ns,
    uint64_t samples, uint64_t total, bool sleep);

#endif
