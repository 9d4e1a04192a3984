/*
 * Context: O.  Writes the tree of a page and its samples, as columns of
 * numbers, for export_html.c; data.js reads them.  html_code_choice.c takes the
 * weights of samples.
 */
#ifndef HTML_SAMPLES_H
#define HTML_SAMPLES_H

#include "html/html_tree.h"

#include <stdio.h>

/*
 * For a model of allocations, writes the list of metrics that the page can
 * show, and which it shows first, as members with a comma behind.  `old` is the
 * other profile or NULL.
 */
void html_samples_measures(FILE *out, const struct model *now,
    const struct model *old);

/*
 * Writes the nodes of the tree as a member of a JSON object, with a comma
 * behind.
 */
void html_samples_nodes(FILE *out, const struct html_tree *t);
/* Writes the samples as a member of a JSON object, without a comma behind. */
void html_samples_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s);

/*
 * Writes members of a JSON object, each with a comma behind: a column with the
 * cause of each sample of time asleep, from 1 on, and the causes as [reason,
 * number of the function or -1, whether another thread tells why].  `numbers`
 * is what html_tree_add() returned for the samples.  Returns 0 or -ENOMEM.
 */
int html_samples_causes(FILE *out, const struct model *m,
    const struct html_tree_samples *s, const uint32_t *numbers);

/*
 * Sets weights[] of each sample to its share of all that the page can show: of
 * CPU time and time asleep alike, or of all metrics of the heap.  Returns the
 * sum of all shares.
 */
uint64_t html_samples_weights(const struct model *m,
    const struct html_tree_samples *s, uint64_t *weights);

#endif
