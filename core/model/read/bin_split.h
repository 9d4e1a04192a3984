/*
 * Context: O.  Distributes ticks of a range of addresses among the functions in
 * it.  Histograms of classic profilers count ticks of ranges ("bins").  For
 * read_classic.c, which owns the list.  "Tick" means a histogram count here.
 */
#ifndef BIN_SPLIT_H
#define BIN_SPLIT_H

#include "base/model.h"

/* A bin: ticks of the addresses from `low` up to, but not including, `high`. */
struct bin_split_range {
	uint64_t low, high;	/* at least one byte */
	uint64_t count;
	uint64_t ns;
	uint32_t module;
};

/* Bins that wait to be distributed.  All fields 0 is an empty list. */
struct bin_split_list {
	struct bin_split_range *bins;
	size_t count, room;
};

/*
 * Adds a bin to the list, or to the rows of the model at once if it cannot be
 * divided.  All bins of one file go through one list.  Returns 0 or -ENOMEM.
 */
int bin_split_add(struct bin_split_list *l, struct model *m,
    const struct bin_split_range *bin);

/*
 * Adds rows for all bins of the list; opens the object of each module.  A bin
 * that crosses bounds of functions is divided there by bytes, as prof(1) and
 * gprof(1) do: where in the bin a tick was is not known.  To be called once for
 * a list, before model_finish().  Returns 0 or -ENOMEM.
 */
int bin_split_to_rows(struct bin_split_list *l, struct model *m);

/* Frees the list. */
void bin_split_free(struct bin_split_list *l);

#endif
