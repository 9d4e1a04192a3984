/*
 * Context: O.  Time of each function with everything that it called, for the
 * tables of prof (cmd/prof/report.c makes it).
 */
#ifndef INCLUSIVE_H
#define INCLUSIVE_H

#include "base/model.h"

/* Weights by the index of the function, in the model's metric. */
struct inclusive {
	uint64_t *cpu;		/* CPU time, or a metric of allocations */
	uint64_t *sleep;	/* time asleep */
};

/*
 * Sums the weight of each row to the function that it is of and to all
 * functions on its stack, to each of them once, however deep they recurse.
 * Needs a model that keeps stacks, after symbolize_all().  Returns 0 or
 * -ENOMEM; call inclusive_free() in either case.
 */
int inclusive_make(struct inclusive *x, const struct model *m);

/* Frees the sums. */
void inclusive_free(struct inclusive *x);

#endif
