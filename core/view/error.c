/* Context: O.  Computes how sure a share of the time is. */
#include "error.h"

#include <math.h>

/*
 * Returns the further end of Wilson's interval for a share p that was found in
 * n samples, as a distance from p.  Unlike p +- sd it holds for few samples: it
 * is not empty where one sample has all of the time.
 */
static double
further_end(double p, double n)
{
	const double z = ERROR_SURE * ERROR_SURE / n;
	const double middle = z * fabs(0.5 - p);
	const double half = ERROR_SURE * sqrt(p * (1 - p) / n + z / n / 4);

	return (middle + half) / (1 + z);
}

/*
 * N, the number of samples of equal weight that would be as sure, is (sum w)^2 /
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
	*percent = ns == 0 ? 0 : 100 * further_end(p, (double)total /
	    ((1 - p) * own + p * others));
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
