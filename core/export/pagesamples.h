/* Context: O.  The tree of a page and its samples, as columns of numbers. */
#ifndef PAGESAMPLES_H
#define PAGESAMPLES_H

#include "pagetree.h"

#include <stdio.h>

/* Of allocations: what the page can choose from, and what it shows first. */
void pagesamples_measures(FILE *out, const struct model *now,
    const struct model *old);

void pagesamples_nodes(FILE *out, const struct pagetree *t);
void pagesamples_put(FILE *out, const struct model *m,
    const struct pagetree_samples *s);

/*
 * By function how much of all it has that can be shown: of time, or of all
 * counts of the heap alike.  What that is in all.
 */
uint64_t pagesamples_functions(const struct model *m,
    const struct pagetree_samples *s, uint64_t *weights);

#endif
