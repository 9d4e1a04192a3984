/* Context: P.  What is taken off a profile that was told to begin anew. */
#ifndef BASELINE_H
#define BASELINE_H

#include "fault.h"
#include "format.h"

/*
 * Take it off a copy of a file, of `size` bytes, before it is decoded.  0 where
 * there is none too, or -errno with *f set.
 */
int baseline_subtract(void *bytes, uint64_t size, struct fault *f);

/* When it was made; 0 there is none. */
uint64_t baseline_mono(const void *bytes, uint64_t size);

/* May such a word be taken off?  Of the header only what is counted there. */
int baseline_is_counter(uint64_t at, uint64_t size);

#endif
