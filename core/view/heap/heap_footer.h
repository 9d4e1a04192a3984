/* Context: O.  What was allocated in all: below every view of that. */
#ifndef HEAP_FOOTER_H
#define HEAP_FOOTER_H

#include "base/term.h"
#include "table/group.h"

/* What was given out, and is live; false: no file has any, which is said. */
bool heap_footer_sums(FILE *out, const struct model *m);

/* Them, unless they stand elsewhere, and what is not in them. */
void heap_footer_print(const struct term *t, const struct model *m,
    const struct group *g, bool sums);

#endif
