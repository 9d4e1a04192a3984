/*
 * Context: T.  Reads, from the live profile, the facts that the formats of
 * other profilers hold, for the writers of format_writers.h, in their thread.
 * The profile must be there (store_header() is not NULL) and stay mapped.
 * Other threads may count meanwhile, so two reads need not agree.
 */
#ifndef STORE_READ_H
#define STORE_READ_H

#include "base/state.h"

/* The code of the executable.  Addresses are those of its file. */
struct store_read_program {
	const struct format_module *module;
	/* index of the module's record; it may have others */
	uint32_t index;
	uint64_t low, high;
};

/*
 * Finds the executable's code.  Returns false if the profile does not have it
 * yet.
 */
bool store_read_program(struct store_read_program *p);

/* Returns whether the module with this index is the executable. */
bool store_read_is_program(const struct store_read_program *p, uint32_t module);

/*
 * Calls take(arg, n) for every node of kind FORMAT_USER or FORMAT_KERNEL, of
 * all threads.
 */
typedef void store_read_node_fn(void *arg, const struct format_node *n);
void store_read_nodes(store_read_node_fn *take, void *arg);

/*
 * Calls take(arg, a, count) for every arc that was called.  Stops if take does
 * not return 0, and returns its result.
 */
typedef int store_read_arc_fn(void *arg, const struct format_arc *a,
    uint64_t count);
int store_read_arcs(store_read_arc_fn *take, void *arg);

/* The CPU time of the executable in bins. */
struct store_read_bins {
	struct store_read_program program;
	unsigned each;		/* bytes of code of one bin */
	uint64_t count;		/* number of bins */
	uint64_t *ns;		/* time of each bin, ns */
	uint64_t most;		/* the greatest of all */
};

/*
 * Fills *b with bins of `each` bytes.  clip, unless NULL, narrows the range of
 * the code: see gmon_request_clip().  Returns 0; -ENODATA if the profile does
 * not have the executable yet; or -ENOMEM.
 */
typedef void store_read_clip_fn(uint64_t bias, uint64_t *low, uint64_t *high);
int store_read_bins(struct store_read_bins *b, unsigned each,
    store_read_clip_fn *clip);

/* Frees the bins of store_read_bins(), whatever that returned. */
void store_read_free_bins(struct store_read_bins *b);

#endif
