/*
 * Context: T.  What of the live profile formats of other profilers hold.  More
 * may come in while it is looked at: two looks need not be equal.
 */
#ifndef HARVEST_H
#define HARVEST_H

#include "state.h"

/* The executable's; addresses are those of its file. */
struct harvest_program {
	const struct format_module *module;
	uint32_t index;		/* of the module; it may have others */
	uint64_t low, high;
};

/* False: there is none yet. */
bool harvest_program(struct harvest_program *p);
bool harvest_is_of(const struct harvest_program *p, uint32_t module);

/* Every place that has CPU time, of all threads. */
typedef void harvest_node(void *arg, const struct format_node *n);
void harvest_nodes(harvest_node *take, void *arg);

/* Every arc; one that is not 0 ends it, and is returned. */
typedef int harvest_arc(void *arg, const struct format_arc *a, uint64_t count);
int harvest_arcs(harvest_arc *take, void *arg);

/* The executable's time, divided. */
struct harvest_bins {
	struct harvest_program program;
	unsigned each;		/* bytes of one */
	uint64_t count;
	uint64_t *ns;
	uint64_t most;		/* of all */
};

/*
 * clip, if there is one, makes the range smaller.  0, -ENODATA: there is no
 * program yet; or -ENOMEM.
 */
typedef void harvest_clip(uint64_t bias, uint64_t *low, uint64_t *high);
int harvest_bins(struct harvest_bins *b, unsigned each, harvest_clip *clip);
void harvest_bins_free(struct harvest_bins *b);

#endif
