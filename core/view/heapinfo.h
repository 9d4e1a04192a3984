/* Context: O.  prof --info: what a profile has of the heap. */
#ifndef HEAPINFO_H
#define HEAPINFO_H

#include "decode.h"
#include "infoput.h"

/* Nothing where none was counted.  0, or -errno and *f. */
int heapinfo(const struct infoput *to, struct decode *d, struct fault *f);

#endif
