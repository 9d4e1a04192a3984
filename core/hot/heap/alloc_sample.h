/*
 * Context: S.  Some of the allocations instead of all: one byte of so many is
 * struck by chance, and its block stands for others; doc/internals.md, section
 * 22.
 *
 * Strikes are a Poisson process of bytes, so that a block of n bytes is struck
 * with a probability of 1 - exp(-n / period), whatever was before it.  Taken 1
 * / that often, the sum over struck blocks is right on average.
 */
#ifndef ALLOC_SAMPLE_H
#define ALLOC_SAMPLE_H

#include <stdint.h>

/* Bytes to the next strike, of that mean; *random: any number, changed. */
uint64_t alloc_sample_interval(uint64_t *random, uint64_t period);

/* For how many a struck block of n bytes stands: 2^-16. */
uint64_t alloc_sample_weight(uint64_t n, uint64_t period);

/* At least 1 KiB, at most 1 GiB: else sums do not fit. */
#define ALLOC_SAMPLE_MIN	(1u << 10)
#define ALLOC_SAMPLE_MAX	(1u << 30)

#endif
