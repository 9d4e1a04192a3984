/* Context: P.  Blocks of arcs in a profile file; the decoder's own. */
#ifndef DECODE_ARCS_H
#define DECODE_ARCS_H

#include "decode.h"

/* Of a block whose head was met: 0, or -errno if the rest of it cannot be. */
int decode_arcs_check(struct decode *d, uint32_t index, struct fault *f);

#endif
