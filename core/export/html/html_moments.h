/*
 * Context: O.  Puts the times of samples into a page, for its time line.
 * export_html.c calls it for a page of one profile; moments.js reads them.
 */
#ifndef HTML_MOMENTS_H
#define HTML_MOMENTS_H

#include "html/html_tree.h"

#include <stdio.h>

/*
 * Writes the times of the samples, in order from the first on, as a member of a
 * JSON object with a comma behind; writes nothing if the model has none.
 * Returns 0 or -ENOMEM.
 */
int html_moments_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s);

#endif
