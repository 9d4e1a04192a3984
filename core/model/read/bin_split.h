/* Context: O.  Ticks of a range of addresses, shared among its functions. */
#ifndef BIN_SPLIT_H
#define BIN_SPLIT_H

#include "base/model.h"

struct bin_split_range {
	uint64_t low, high;	/* at least a byte */
	uint64_t count;
	uint64_t ns;
	uint32_t module;
};

struct bin_split_list {
	struct bin_split_range *bins;
	size_t count, room;
};

/* 0 or -ENOMEM; all of one file go through one list. */
int bin_split_add(struct bin_split_list *l, struct model *m,
    const struct bin_split_range *bin);

/*
 * Into rows.  A bin across the bounds of functions is divided there by bytes,
 * as prof(1) and gprof(1) do: where in it a tick was, nobody knows.
 */
int bin_split_to_rows(struct bin_split_list *l, struct model *m);

void bin_split_free(struct bin_split_list *l);

#endif
