/*
 * Context: P.  Checks blocks of logged ticks (log=yes) in a profile, for
 * decode_open() alone; readers visit ticks by decode_tick_log() of decode.h.
 */
#ifndef DECODE_TICK_LOG_H
#define DECODE_TICK_LOG_H

#include "decode/decode.h"

/*
 * Checks and claims the rest of a block of logged ticks whose head at `index`
 * has been visited.  Counts a truncated block in d->cut; in a sealed profile
 * such a block is a fault.  Returns 0 or -errno with *f set.
 */
int decode_tick_log_check(struct decode *d, uint32_t index, struct fault *f);

#endif
