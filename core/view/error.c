/* Context: O.  Computes how sure a share of the time is. */
#include "error.h"

#include <math.h>

/*
 * The variance of a share p is that of independent samples: p (1 - p) / N.  N
 * is the number of samples of equal weight that would be as sure: (sum w)^2 /
 * sum w^2, and so total / W with W the mean weight of a nanosecond's sample.
 * The samples of the share and the others have different mean weights: a tick
 * in the kernel weighs as much as four in user mode.
 */
bool
error_of(const struct model *m, uint64_t ns, uint64_t samples, uint64_t total,
    bool sleep, double *percent)
{
	const double p = total == 0 ? 0 : (double)ns / (double)total;
	double own, others;

	/* The number of samples that a difference rests on is not known. */
	if (samples == 0 || p > 1 || model_has_signs(m))
		return false;
	own = (double)ns / (double)samples;
	others = own;
	if (m->mean_weight > 0 && !sleep) {
		own *= m->clump;
		others = m->mean_weight;
	}
	*percent = 100 * ERROR_SURE * sqrt(p * (1 - p) *
	    ((1 - p) * own + p * others) / (double)total);
	return true;
}

void
error_put(FILE *out, const struct model *m, uint64_t ns, uint64_t samples,
    uint64_t total, bool sleep)
{
	double percent;

	if (error_of(m, ns, samples, total, sleep, &percent))
		fprintf(out, "%6.*f", percent < 0.1 ? 2 : 1, percent);
	else
		fprintf(out, "%6s", "-");
}
