/* Context: O.  The heap at a glance: sums, and who has the most of each. */
#ifndef HEAP_SUMMARY_H
#define HEAP_SUMMARY_H

#include "base/model.h"
#include "base/term.h"

struct heap_summary_options {
	uint64_t top;		/* functions of each kind; 0 = some */
	double least;		/* percent that a function has */
};

/* Of a model of allocations, which is weighed anew.  0 or -ENOMEM. */
int heap_summary_print(const struct term *t, struct model *m,
    const struct heap_summary_options *o);

#endif
