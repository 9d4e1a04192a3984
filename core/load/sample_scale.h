/*
 * Context: O.  Scales samples down that stand for more CPU time than the kernel
 * charged to the process.  For those that read whole profiles: core/model/read
 * and the sampler that reads profiles of libmon.so (core/sampler/libmon).
 */
#ifndef SAMPLE_SCALE_H
#define SAMPLE_SCALE_H

#include "format.h"

/* Factors for the time of samples, each at most 1. */
struct sample_scale {
	double kernel;		/* for kinds FORMAT_KERNEL and FORMAT_KFUNC */
	/* for all other kinds */
	double other;
	/* time that the scale takes from all samples, ns */
	uint64_t taken_ns;
};

/*
 * Returns the scale that reduces the samples of a file to `cpu_ns`, the
 * kernel's CPU time of the file's process image while time was counted, if they
 * stand for more.  The coarse clock draws its part by chance, one tick for each
 * interval of the scheduler, while the fine clock measures; so the excess is
 * taken from the coarse clock's part, if that is large enough.  All factors are
 * 1 if the file does not have the sums, if cpu_ns is 0 (not known for certain),
 * or if a short process stands for others like it.
 */
struct sample_scale sample_scale_of(const struct format_header *h,
    uint64_t cpu_ns);

/*
 * Returns the time of a node after scaling, in ns; that of a sleep is not
 * scaled.
 */
uint64_t sample_scale_ns(const struct sample_scale *s, uint32_t kind,
    uint64_t ns);

#endif
