/*
 * Context: O.  Writes the tree of a page and its samples, as columns of
 * numbers.
 */
#ifndef HTML_SAMPLES_H
#define HTML_SAMPLES_H

#include "html/html_tree.h"

#include <stdio.h>

/*
 * For a model of allocations, writes the list of metrics that the page can
 * show, and which it shows first.  `old` is the other profile or NULL.
 */
void html_samples_measures(FILE *out, const struct model *now,
    const struct model *old);

/* Writes the nodes of the tree as a member of a JSON object. */
void html_samples_nodes(FILE *out, const struct html_tree *t);
/* Writes the samples as a member of a JSON object. */
void html_samples_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s);

/*
 * Adds to weights[], by function of the model, its share of all that the page
 * can show: of time, or of all metrics of the heap alike.  Returns the sum of
 * all shares.
 */
uint64_t html_samples_functions(const struct model *m,
    const struct html_tree_samples *s, uint64_t *weights);

#endif
