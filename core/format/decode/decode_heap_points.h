/*
 * Context: P.  The heap over time (format_heap_timeline) in a profile: the
 * check for decode_open(), and the points for the model
 * (read/read_profile_heap.c).
 */
#ifndef DECODE_HEAP_POINTS_H
#define DECODE_HEAP_POINTS_H

#include "decode/decode.h"

/*
 * Checks the timeline at `index` for decode_open() and claims its bytes.
 * `from` is the offset of the link to it.  Returns 0 or -errno with *f set.
 */
int decode_heap_points_check(struct decode *d, uint64_t from, uint32_t index,
    struct fault *f);

/*
 * Reads the points of the timeline that are younger than the baseline,
 * ascending by time.  `to` has room for FORMAT_HEAP_POINTS; *count is set to
 * the number of points.  Returns 1, 0 if there are none, or -errno with *f set.
 */
int decode_heap_points(const struct decode *d, struct format_heap_point *to,
    size_t *count, struct fault *f);

/*
 * Returns whether the points count mapped bytes, because blocks were not
 * counted.
 */
bool decode_heap_points_are_maps(const struct decode *d);

#endif
