/* Context: P.  How the heap grew, in a profile file. */
#ifndef DECODE_HEAP_POINTS_H
#define DECODE_HEAP_POINTS_H

#include "decode.h"

/* What is read of it, by decode_open(); from: the offset of the link. */
int decode_heap_points_check(struct decode *d, uint64_t from, uint32_t index,
    struct fault *f);

/*
 * Ascending by time, FORMAT_HEAP_POINTS at most, of since the process began
 * anew; *count: how many.  1, 0 where there are none, -errno.
 */
int decode_heap_points(const struct decode *d, struct format_heap_point *to,
    size_t *count, struct fault *f);

/* Are they of what was mapped, as no blocks were counted? */
bool decode_heap_points_are_maps(const struct decode *d);

#endif
