/*
 * Context: O.  Sums over all processes of a report.  report_head.c and footer.c
 * make them, clock_footer.c prints a part.
 */
#ifndef FOOTER_SUMS_H
#define FOOTER_SUMS_H

#include "base/model.h"

/* Sums over all processes.  `life` has their number by state. */
struct footer_sums {
	size_t life[MODEL_UNKNOWN + 1];
	uint64_t samples;
	/* threads are selected: the kernel's figures are of all threads */
	bool some_threads;
	size_t processes, threads;	/* from files of libmon.so */
	/* processes whose CPU time is known up to their last sample */
	size_t known;
	uint64_t cpu_ns;	/* CPU time by the kernel of these processes */
	uint64_t sample_ns;	/* time in samples of these processes */
	/* ns subtracted from samples so that they agree with the kernel */
	uint64_t scaled_ns;
	uint64_t over_ns;	/* time in samples beyond the kernel's figure */
	uint64_t seen_ns;	/* time in samples of all processes */
	uint64_t stopped_ns;	/* CPU time while stopped; in no other sum */
	/*
	 * CPU time, or time in samples where that is more; with some_threads
	 * time in samples alone
	 */
	uint64_t all_ns;
	/* as in struct model_process: of all, and the first error of any */
	uint32_t coarse_seen, fine_seen;
	int32_t coarse_errno, fine_errno, kernel_errno;
	/*
	 * ranges of the coarse clock's interval, and of the period and the
	 * budget of the fine clock, ns; low exceeds high: no process has it
	 */
	uint64_t tick_low, tick_high;
	uint64_t period_low, period_high;
	uint64_t budget_low, budget_high, later_ns;
	/* a profiled process started some: their budget is FORMAT_NO_BUDGET */
	bool started;
	uint64_t asked_low, asked_high;	/* range of the rate asked for, Hz */
	bool asked_auto;	/* some process had an automatic rate */
};

/*
 * Sets *x to the sums over the processes and threads of the model; those of
 * other profilers are left out.
 */
void footer_sums_make(struct footer_sums *x, const struct model *m);

/* Returns whether any thread had a fine clock. */
static inline bool
footer_sums_fine_clock(const struct footer_sums *x)
{
	return (x->fine_seen & (1u << FORMAT_FINE_ON |
	    1u << FORMAT_FINE_DONE)) != 0;
}

/*
 * Returns whether any process had a clock or, with a known CPU time, has time
 * in samples.  If not, there is nothing to compare with the kernel's CPU time.
 */
static inline bool
footer_sums_any_clock(const struct footer_sums *x)
{
	return x->coarse_seen != 0 || x->sample_ns != 0 ||
	    footer_sums_fine_clock(x);
}

/* Returns a time of `ns` nanoseconds in seconds. */
static inline double
footer_sums_seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

#endif
