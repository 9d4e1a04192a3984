/* Context: P.  Names of places in a profile file; the decoder's own. */
#ifndef NAMES_H
#define NAMES_H

#include "decode.h"

/* Of a block whose head was met: 0, or -errno if the rest of it cannot be. */
int names_check(struct decode *d, uint32_t index, struct fault *f);

#endif
