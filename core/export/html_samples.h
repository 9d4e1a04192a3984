/* Context: O.  The tree of a page and its samples, as columns of numbers. */
#ifndef HTML_SAMPLES_H
#define HTML_SAMPLES_H

#include "html_tree.h"

#include <stdio.h>

/* Of allocations: what the page can choose from, and what it shows first. */
void html_samples_measures(FILE *out, const struct model *now,
    const struct model *old);

void html_samples_nodes(FILE *out, const struct html_tree *t);
void html_samples_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s);

/*
 * By function how much of all it has that can be shown: of time, or of all
 * counts of the heap alike.  What that is in all.
 */
uint64_t html_samples_functions(const struct model *m,
    const struct html_tree_samples *s, uint64_t *weights);

#endif
