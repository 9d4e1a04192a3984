/* Context: O.  Samples that stand for more CPU time than was used. */
#ifndef SAMPLE_SCALE_H
#define SAMPLE_SCALE_H

#include "format.h"

/* By what the time of a sample is multiplied, at most 1. */
struct sample_scale {
	double kernel;		/* of kinds FORMAT_KERNEL and FORMAT_KFUNC */
	double other;
	uint64_t taken_ns;	/* from all of them together */
};

/*
 * Returns the scale that brings the samples of a file to `cpu_ns`, the CPU time
 * of its image by the kernel, where they stand for more.  The coarse clock draws
 * its part by lot, one tick for 4 ms, and the fine clock measures: so the excess
 * is taken from what the coarse clock saw, as far as that goes.  All is 1 where
 * the file does not tell the sums, cpu_ns is 0 (not known for good), or a short
 * process stands for others like it.
 */
struct sample_scale sample_scale_of(const struct format_header *h,
    uint64_t cpu_ns);

/* Returns the time of a node after scaling, ns; of a sleep, its own. */
uint64_t sample_scale_ns(const struct sample_scale *s, uint32_t kind,
    uint64_t ns);

#endif
