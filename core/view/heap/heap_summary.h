/*
 * Context: O.  Prints a summary of the heap: sums, and the largest consumers of
 * each kind.  It is the view of prof --heap=summary; the page prints it, too
 * (export/html/html_head.c), after all else that needs the model as it was.
 */
#ifndef HEAP_SUMMARY_H
#define HEAP_SUMMARY_H

#include "base/model.h"
#include "base/term.h"

/* Limits of the summary. */
struct heap_summary_options {
	uint64_t top;		/* functions of each kind; 0 = default number */
	double least;		/* percent that a function must have */
	/*
	 * show each function of the stacks, from the one that asked for the
	 * memory on, also those of system libraries
	 */
	bool all;
};

/*
 * Prints the summary of a model of allocations, which must have names and keep
 * stacks.  Changes its metric and, unless o->all is set, moves its rows to
 * functions outside of system libraries; so call it once.  Returns 0 or
 * -ENOMEM.
 */
int heap_summary_print(const struct term *t, struct model *m,
    const struct heap_summary_options *o);

#endif
