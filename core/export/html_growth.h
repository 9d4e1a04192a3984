/* Context: O.  How the heap grew and how large its blocks are, in the page. */
#ifndef HTML_GROWTH_H
#define HTML_GROWTH_H

#include "base/model.h"

#include <stdio.h>

/* Of an object of JSON, with a comma behind each. */
void html_growth_put(FILE *out, const struct model *m);

#endif
