/*
 * Context: P.  Checks texts in a profile, for decode.c and decode_names.c;
 * readers get texts by decode_text() of decode.h.
 */
#ifndef DECODE_TEXT_H
#define DECODE_TEXT_H

#include "decode/decode.h"

/*
 * Checks that the text at `index` is whole; index 0 means no text and is valid.
 * from: offset of the link to it, for the fault.  In a file that is not sealed,
 * counts a truncated text in d->cut and returns 0.  Does not claim the text:
 * several links may share it.  Returns 0, or -errno with *f set.
 */
int decode_text_check(struct decode *d, uint64_t from, uint32_t index,
    struct fault *f);

#endif
