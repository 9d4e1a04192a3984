/*
 * Context: P.  Checks texts in a profile, for decode.c and decode_names.c;
 * readers get texts by decode_text() of decode.h.
 */
#ifndef DECODE_TEXT_H
#define DECODE_TEXT_H

#include "decode/decode.h"

/*
 * Checks that the text at `index` is whole.  `from` is the offset of the link
 * to it.  A truncated text in a file that is not sealed is counted in d->cut.
 * Returns 0 or -errno with *f set.
 */
int decode_text_check(struct decode *d, uint64_t from, uint32_t index,
    struct fault *f);

#endif
