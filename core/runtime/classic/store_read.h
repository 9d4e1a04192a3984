/*
 * Context: T.  What of the live profile formats of other profilers hold.  More
 * may come in while it is looked at: two looks need not be equal.
 */
#ifndef STORE_READ_H
#define STORE_READ_H

#include "base/state.h"

/* The executable's; addresses are those of its file. */
struct store_read_program {
	const struct format_module *module;
	uint32_t index;		/* of the module; it may have others */
	uint64_t low, high;
};

/* False: there is none yet. */
bool store_read_program(struct store_read_program *p);
bool store_read_is_program(const struct store_read_program *p, uint32_t module);

/* Every place that has CPU time, of all threads. */
typedef void store_read_node_fn(void *arg, const struct format_node *n);
void store_read_nodes(store_read_node_fn *take, void *arg);

/* Every arc; one that is not 0 ends it, and is returned. */
typedef int store_read_arc_fn(void *arg, const struct format_arc *a,
    uint64_t count);
int store_read_arcs(store_read_arc_fn *take, void *arg);

/* The executable's time, divided. */
struct store_read_bins {
	struct store_read_program program;
	unsigned each;		/* bytes of one */
	uint64_t count;
	uint64_t *ns;
	uint64_t most;		/* of all */
};

/*
 * clip, if there is one, makes the range smaller.  0, -ENODATA: there is no
 * program yet; or -ENOMEM.
 */
typedef void store_read_clip_fn(uint64_t bias, uint64_t *low, uint64_t *high);
int store_read_bins(struct store_read_bins *b, unsigned each,
    store_read_clip_fn *clip);
void store_read_free_bins(struct store_read_bins *b);

#endif
