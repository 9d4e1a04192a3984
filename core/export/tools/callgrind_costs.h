/*
 * Context: O.  The costs of an export for callgrind_annotate: the time of each
 * place of a function, and that of the calls from there.  For
 * export_callgrind.c alone.
 */
#ifndef CALLGRIND_COSTS_H
#define CALLGRIND_COSTS_H

#include "base/key_table.h"
#include "derive/sample_paths.h"

/* Weight at a place of a function: its own, or that of the calls from there. */
struct callgrind_cost {
	uint32_t function;
	uint32_t callee;	/* MODEL_NONE: the function's own time */
	uint32_t site, file, line;
	uint32_t stamp;		/* number + 1 of the last row that was added */
	uint64_t values[METRICS];	/* by number in `events` */
};

/* All costs.  All fields 0: there are none. */
struct callgrind_costs {
	struct sample_paths *in;
	/* By function, its own costs first, then by callee, file and line */
	struct callgrind_cost *all;
	size_t count, room;
	/*
	 * a: function and callee, b: site and file, c: line; numbers are
	 * indexes into `all` until it is sorted
	 */
	struct key_table keys;
	uint32_t *file_of;	/* by function: the file that it is listed in */
	enum metric events[METRICS];	/* the one that rows weigh first */
	unsigned event_count;
	uint64_t total[METRICS];	/* by number in `events` */
};

/*
 * Sums up the costs of the samples and of the calls that were counted, into *t
 * that has none.  `in` is open and outlives *t.  A function that is on a stack
 * several times gets the time of that stack once.  Returns 0 or -ENOMEM;
 * callgrind_costs_free() must be called in either case.
 */
int callgrind_costs_collect(struct callgrind_costs *t,
    struct sample_paths *in);

/* Frees the costs. */
void callgrind_costs_free(struct callgrind_costs *t);

#endif
