/* Context: O.  The code of the functions with the most time, for a page. */
#ifndef PAGECODE_H
#define PAGECODE_H

#include "pagetree.h"

#include <stdio.h>

/* Of as many functions as have that much of the time; what there may be. */
#define PAGECODE_PERCENT	95
#define PAGECODE_FUNCTIONS	100u
#define PAGECODE_BYTES		(2u << 20)

/*
 * Members of a JSON object: what is there, and of what was left out why.
 * numbers: as of pagetree_add() of those samples.  0 or -ENOMEM.
 */
int pagecode_put(FILE *out, const struct model *m,
    const struct pagetree_samples *s, const uint32_t *numbers);

#endif
