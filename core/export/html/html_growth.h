/*
 * Context: O.  Puts the heap over time and the sizes of its blocks into a page.
 */
#ifndef HTML_GROWTH_H
#define HTML_GROWTH_H

#include "base/model.h"

#include <stdio.h>

/* Writes members of a JSON object, each with a comma behind. */
void html_growth_put(FILE *out, const struct model *m);

#endif
