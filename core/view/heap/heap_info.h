/* Context: O.  prof --info: what a profile has of the heap. */
#ifndef HEAP_INFO_H
#define HEAP_INFO_H

#include "decode.h"
#include "report/info_print.h"

/* Nothing where none was counted.  0, or -errno and *f. */
int heap_info_print(const struct info_print *to, struct decode *d,
    struct fault *f);

#endif
