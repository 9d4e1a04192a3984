/*
 * Context: O.  Prints which clocks took the samples of a report.  footer.c
 * alone calls it, if some file is of libmon.so.
 */
#ifndef CLOCK_FOOTER_H
#define CLOCK_FOOTER_H

#include "report/footer_sums.h"

#include <stdio.h>

/*
 * Prints a line with the rate that was asked for, the rate that was measured
 * and, if all files are of libmon.so, the mean weights of samples.
 */
void clock_footer_rate(FILE *out, const struct model *m,
    const struct footer_sums *x);

/*
 * Prints a line on the coarse and the fine clock: their intervals and refusals.
 */
void clock_footer_print(FILE *out, const struct footer_sums *x);

#endif
