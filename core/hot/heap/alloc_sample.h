/*
 * Context: S.  Chooses some of the allocations instead of all, where heap=SIZE
 * asks for that: chance marks one byte of every `period` bytes on average, and
 * the block that holds a marked byte is counted for others as well;
 * doc/design/heap.md.
 *
 * The marks are a Poisson process of bytes, so that a block of n bytes is
 * chosen with a probability of 1 - exp(-n / period), whatever came before it.
 * If each chosen block counts as 1 / that probability, the sum is right on
 * average.  alloc_count.c uses it at the begin and the end of a counted block,
 * alloc_thread.c where a thread's counters are made.  Works on its arguments
 * alone.
 */
#ifndef ALLOC_SAMPLE_H
#define ALLOC_SAMPLE_H

#include <stdint.h>

/*
 * Returns the number of bytes to the next mark, random with mean `period`.
 * *random: state of the random numbers, any value at first; it is changed.
 */
uint64_t alloc_sample_interval(uint64_t *random, uint64_t period);

/*
 * Returns how many blocks a chosen block of n bytes stands for, in units of
 * 2^-16.  n: not 0; callers pass the block's size + 1, so that an empty block
 * has a chance, too.
 */
uint64_t alloc_sample_weight(uint64_t n, uint64_t period);

/* Limits of the period, bytes: outside of them the sums do not fit. */
#define ALLOC_SAMPLE_MIN	(1u << 10)
#define ALLOC_SAMPLE_MAX	(1u << 30)

#endif
