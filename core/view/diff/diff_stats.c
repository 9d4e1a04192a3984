/*
 * Context: O.  Computes the error of a change, for diff.c; see diff_stats.h.
 *
 * Counts of samples are taken as Poisson distributed: the standard deviation of
 * n samples is the square root of n.  Where a side has several runs, they
 * differ by more than that if anything else differs from run to run: the input,
 * the speed of the machine, the place of the code.  The variance between runs
 * is estimated from both sides together, and the part of it that samples do not
 * explain is added.
 */
#include "diff/diff_stats.h"

#include <math.h>

/*
 * How many standard deviations, by degrees of freedom from 1 on, are as rare in
 * Student's distribution as DIFF_SURE in the normal one (0.27 %): Table G.2 of
 * the Guide to the Expression of Uncertainty in Measurement.
 */
static const double student[] = {
	235.80, 19.21, 9.22, 6.62, 5.51, 4.90, 4.53, 4.28, 4.09, 3.96,
	3.85, 3.76, 3.69, 3.64, 3.59, 3.54, 3.51, 3.48, 3.45, 3.42,
};
#define STUDENT_LAST	(sizeof(student) / sizeof(student[0]))

/* Returns by how much a spread of that many degrees of freedom is widened. */
static double
widening(size_t freedom)
{
	/* More runs have the last number, which is too wide by a seventh. */
	return student[(freedom < STUDENT_LAST ? freedom : STUDENT_LAST) - 1] /
	    DIFF_SURE;
}

void
diff_values_add(struct diff_values *v, double value, double variance)
{
	v->sum += value;
	v->squares += value * value;
	v->variance += variance;
}

/*
 * Returns the variance between runs of one side that samples do not explain,
 * widened; 0 if no side has two runs.
 */
static double
excess_variance(const struct diff_values v[2], const size_t runs[2])
{
	const size_t all = runs[0] + runs[1], freedom = all - 2;
	double squares = 0, excess;

	if (freedom == 0)
		return 0;
	for (unsigned i = 0; i < 2; i++)
		squares += v[i].squares - v[i].sum * v[i].sum /
		    (double)runs[i];
	excess = squares / (double)freedom -
	    (v[0].variance + v[1].variance) / (double)all;
	return excess > 0 ? excess * widening(freedom) * widening(freedom) : 0;
}

struct diff_change
diff_change_make(const struct diff_values v[2], const size_t runs[2])
{
	const double excess = excess_variance(v, runs);
	double mean[2], squares = 0;

	for (unsigned i = 0; i < 2; i++) {
		const double n = (double)runs[i];

		mean[i] = v[i].sum / n;
		squares += v[i].variance / (n * n) + excess / n;
	}
	return (struct diff_change) { mean[0], mean[1], sqrt(squares) };
}

bool
diff_change_is_sure(const struct diff_change *c)
{
	return fabs(c->now - c->before) > DIFF_SURE * c->error;
}
