/*
 * Context: O.  Computes how accurate a share of the time, or of a metric of the
 * heap, is, from the number of samples on which it rests.  For views, the head
 * and the foot of a report, and findings.  The HTML page computes the same from
 * SAMPLING_ERROR_Z in data.js.
 */
#ifndef SAMPLING_ERROR_H
#define SAMPLING_ERROR_H

#include "base/model.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* columns that sampling_error_put() prints */
#define SAMPLING_ERROR_COLUMNS	6
/* standard deviations of a 95 % interval */
#define SAMPLING_ERROR_Z	1.96

/*
 * Computes the distance from a share to the farther end of the interval in
 * which 95 of 100 true shares lie, and sets *percent to it, in percent of
 * `total`.  The share is `ns`, in the model's metric like `total`, and rests on
 * `samples` samples of m, after model_finish().  sleep: the share is time
 * asleep.  Returns false, and leaves *percent alone, if samples or total is 0,
 * if ns exceeds total, or if rows of m have signs (model_has_signs()).  The
 * error does not cover time without samples that is part of ns.
 */
bool sampling_error_percent(const struct model *m, uint64_t ns,
    uint64_t samples, uint64_t total, bool sleep, double *percent);

/*
 * Prints the distance that sampling_error_percent() computes in
 * SAMPLING_ERROR_COLUMNS columns, "-" if it returns false.
 */
void sampling_error_put(FILE *out, const struct model *m, uint64_t ns,
    uint64_t samples, uint64_t total, bool sleep);

#endif
