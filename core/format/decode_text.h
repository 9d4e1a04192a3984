/* Context: P.  Texts in a profile file; the decoder's own. */
#ifndef DECODE_TEXT_H
#define DECODE_TEXT_H

#include "decode.h"

/*
 * Is the text at `index` whole?  `from` is the offset of the link to it.  A cut
 * one is counted.  0 or -errno.
 */
int decode_text_check(struct decode *d, uint64_t from, uint32_t index,
    struct fault *f);

#endif
