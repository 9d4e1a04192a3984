/*
 * Context: O.  Computes how accurate a share of the time is, for views, the
 * head and the foot of a report, and findings; see sampling_error.h.
 */
#include "base/sampling_error.h"

#include <math.h>

/*
 * Returns the distance from a share p to the farther end of its score interval
 * (Wilson 1927), from z2 = SAMPLING_ERROR_Z^2 / N with N the number of
 * independent samples of equal weight.  The simpler p +- SAMPLING_ERROR_Z
 * sqrt(p (1 - p) / N) is 0 where all samples are of one line, even if there is
 * only one sample.
 */
static double
wilson_distance(double p, double z2)
{
	return (fabs(1 - 2 * p) * z2 / 2 +
	    sqrt(z2 * p * (1 - p) + z2 * z2 / 4)) / (1 + z2);
}

/*
 * N is the number of samples of equal weight that would be as accurate: (sum
 * w)^2 / sum w^2, and so total / W with W the mean weight of a nanosecond's
 * sample.  The samples of the share and the others have different mean weights:
 * a sample of kernel time weighs as much as four of user time.
 */
bool
sampling_error_percent(const struct model *m, uint64_t ns, uint64_t samples,
    uint64_t total, bool sleep, double *percent)
{
	const double p = total == 0 ? 0 : (double)ns / (double)total;
	double own, others;

	/* The number of samples that a difference rests on is not known. */
	if (samples == 0 || total == 0 || p > 1 || model_has_signs(m))
		return false;
	own = (double)ns / (double)samples;
	others = own;
	if (m->mean_weight > 0 && !sleep) {
		own *= m->clump;
		others = m->mean_weight;
	}
	*percent = 100 * wilson_distance(p, SAMPLING_ERROR_Z *
	    SAMPLING_ERROR_Z * ((1 - p) * own + p * others) / (double)total);
	return true;
}

void
sampling_error_put(FILE *out, const struct model *m, uint64_t ns,
    uint64_t samples, uint64_t total, bool sleep)
{
	double percent;

	if (sampling_error_percent(m, ns, samples, total, sleep, &percent))
		fprintf(out, "%6.*f", percent < 0.1 ? 2 : 1, percent);
	else
		fprintf(out, "%6s", "-");
}
