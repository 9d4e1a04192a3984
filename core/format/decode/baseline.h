/*
 * Context: P.  The baseline of a profile: the values that its counters had when
 * `prof --control end` made the process begin anew.  load.c subtracts it from a
 * copy of the file before the copy is decoded; decode_open() asks for its time.
 * core/control/baseline_words.c makes it.
 */
#ifndef BASELINE_H
#define BASELINE_H

#include "fault.h"
#include "format.h"

/*
 * Subtracts the baseline from the `size` bytes of a copy of a profile, which it
 * changes.  Call it once, before decode_open(); the bytes need not have been
 * checked.  Returns 0, also if the file has no baseline, or -errno with *f set:
 * then the copy is of no use.
 */
int baseline_subtract(void *bytes, uint64_t size, struct fault *f);

/*
 * Returns the CLOCK_MONOTONIC time in ns at which the baseline of the `size`
 * bytes was made, or 0 if the file has none.
 */
uint64_t baseline_mono(const void *bytes, uint64_t size);

#endif
