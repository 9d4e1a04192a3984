/*
 * Context: O.  Prints a summary of the heap: sums, and the largest consumers of
 * each kind.
 */
#ifndef HEAP_SUMMARY_H
#define HEAP_SUMMARY_H

#include "base/model.h"
#include "base/term.h"

/* Limits of the summary. */
struct heap_summary_options {
	uint64_t top;		/* functions of each kind; 0 = default number */
	double least;		/* percent that a function must have */
};

/*
 * Prints the summary of a model of allocations, whose metric it changes.
 * Returns 0 or -ENOMEM.
 */
int heap_summary_print(const struct term *t, struct model *m,
    const struct heap_summary_options *o);

#endif
