/*
 * Context: O.  Prints what prof --info shows of the heap in a profile, for
 * info_file().
 */
#ifndef HEAP_INFO_H
#define HEAP_INFO_H

#include "decode/decode.h"
#include "report/info_print.h"

/*
 * Prints sums of the heap; prints nothing if no allocations were counted.  May
 * be called once for each open file, as it visits the trees.  Returns 0, or
 * -errno with *f set.
 */
int heap_info_print(const struct info_print *to, struct decode *d,
    struct fault *f);

#endif
