/*
 * Context: O.  Scales samples down, for readers of whole profiles; see
 * sample_scale.h.
 */
#include "sample_scale.h"

#include <stdbool.h>

#define DRAWN_TICKS	25		/* 0.1 s, if a tick is 4 ms */

/* Returns what share of `all` ns is left when `taken` ns are taken, 0 to 1. */
static double
remaining_share(uint64_t all, double taken)
{
	return all == 0 || taken >= (double)all ? 0 :
	    1 - taken / (double)all;
}

/*
 * Returns whether the samples of the process were drawn among several short
 * processes that only the coarse clock saw.  The one that a tick hits stands
 * for the others, too, so it is not limited to its own CPU time.
 */
static bool
is_drawn_by_chance(const struct format_header *h, uint64_t cpu_ns)
{
	const uint32_t fine = 1u << FORMAT_FINE_ON | 1u << FORMAT_FINE_DONE;

	return (h->fine_seen & fine) == 0 && cpu_ns < DRAWN_TICKS * h->tick_ns;
}

struct sample_scale
sample_scale_of(const struct format_header *h, uint64_t cpu_ns)
{
	struct sample_scale s = { .kernel = 1, .other = 1 };
	const uint64_t coarse = h->kernel_ns + h->coarse_ns;
	uint64_t over, others;
	double part;

	if (cpu_ns == 0 || h->sample_ns <= cpu_ns || is_drawn_by_chance(h,
	    cpu_ns) || h->kernel_ns > h->sample_ns ||
	    h->coarse_ns > h->sample_ns - h->kernel_ns)
		return s;
	over = h->sample_ns - cpu_ns;
	others = h->sample_ns - h->kernel_ns;
	s.taken_ns = over;
	if (over > coarse) {
		s.kernel = s.other = (double)cpu_ns / (double)h->sample_ns;
		return s;
	}
	part = (double)over / (double)coarse;
	s.kernel = remaining_share(h->kernel_ns, part * (double)h->kernel_ns);
	s.other = remaining_share(others, part * (double)h->coarse_ns);
	return s;
}

static bool
is_kernel(uint32_t kind)
{
	return kind == FORMAT_KERNEL || kind == FORMAT_KFUNC;
}

uint64_t
sample_scale_ns(const struct sample_scale *s, uint32_t kind, uint64_t ns)
{
	const double by = is_kernel(kind) ? s->kernel : s->other;

	if (kind == FORMAT_SLEEP || by >= 1)
		return ns;
	return (uint64_t)((double)ns * by);
}
