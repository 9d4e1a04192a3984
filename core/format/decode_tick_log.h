/* Context: P.  Blocks of moments in a profile file; the decoder's own. */
#ifndef DECODE_TICK_LOG_H
#define DECODE_TICK_LOG_H

#include "decode.h"

/* Of a block whose head was met: 0, or -errno if the rest of it cannot be. */
int decode_tick_log_check(struct decode *d, uint32_t index, struct fault *f);

#endif
