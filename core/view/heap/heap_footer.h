/*
 * Context: O.  Prints sums of all allocations: below every view of the heap
 * (cmd/prof/report.c), on the page (export/html/html_head.c) and at the top of
 * the summary.
 */
#ifndef HEAP_FOOTER_H
#define HEAP_FOOTER_H

#include "base/term.h"
#include "table/group.h"

/*
 * Prints what was allocated and what is live, in all rows of the model, and
 * returns true.  If no file has counted allocations, says so and returns false.
 */
bool heap_footer_sums(FILE *out, const struct model *m);

/*
 * Returns when the blocks that are called live were so: "at the end", "now" if
 * all processes still run, or both.
 */
const char *heap_footer_live_text(const struct model *m);

/*
 * Prints the footer: how many lines of *g are hidden; the sums, unless the view
 * has printed them (sums = false); and what is not included in them.  Leaves
 * the style TERM_DIM on, as more lines of the footer follow; the caller
 * switches it off.
 */
void heap_footer_print(const struct term *t, const struct model *m,
    const struct group *g, bool sums);

#endif
