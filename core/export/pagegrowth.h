/* Context: O.  How the heap grew and how large its blocks are, in the page. */
#ifndef PAGEGROWTH_H
#define PAGEGROWTH_H

#include "model.h"

#include <stdio.h>

/* Of an object of JSON, with a comma behind each. */
void pagegrowth_put(FILE *out, const struct model *m);

#endif
