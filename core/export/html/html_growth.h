/*
 * Context: O.  Puts the heap timeline and the sizes of the blocks into a page.
 * export_html.c calls it for a model of allocations; growth.js shows both.
 */
#ifndef HTML_GROWTH_H
#define HTML_GROWTH_H

#include "base/model.h"

#include <stdio.h>

/* Writes members of a JSON object, each with a comma behind. */
void html_growth_put(FILE *out, const struct model *m);

#endif
