/*
 * Context: P.  Checks embedded names of places in a profile, for decode_open()
 * alone; the model visits them by decode_names() of decode.h.
 */
#ifndef DECODE_NAMES_H
#define DECODE_NAMES_H

#include "decode/decode.h"

/*
 * Checks and claims the rest of a block of names whose head at `index` has been
 * visited.  Counts a truncated block in d->cut; in a sealed profile such a
 * block is a fault.  Returns 0 or -errno with *f set.
 */
int decode_names_check(struct decode *d, uint32_t index, struct fault *f);

#endif
