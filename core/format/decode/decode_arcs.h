/*
 * Context: P.  Checks blocks of arcs in a profile, for decode_open() alone;
 * readers visit arcs by decode_arcs() of decode.h.
 */
#ifndef DECODE_ARCS_H
#define DECODE_ARCS_H

#include "decode/decode.h"

/*
 * Checks and claims the rest of a block of arcs whose head at `index` has been
 * visited.  Counts a truncated block in d->cut; in a sealed profile such a
 * block is a fault.  Returns 0 or -errno with *f set.
 */
int decode_arcs_check(struct decode *d, uint32_t index, struct fault *f);

#endif
