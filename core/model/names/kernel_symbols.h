/* Context: O.  Names of kernel functions that a tprof.out brings. */
#ifndef KERNEL_SYMBOLS_H
#define KERNEL_SYMBOLS_H

#include "base/model.h"

struct kernel_symbols_entry {
	uint64_t start;
	uint32_t bytes;
	const char *name;
};

/* All 0 is one that holds nothing. */
struct kernel_symbols {
	struct kernel_symbols_entry *all;
	size_t count, room;
};

/* Any order, until kernel_symbols_sort().  0 or -ENOMEM. */
int kernel_symbols_add(struct kernel_symbols *k,
    const struct kernel_symbols_entry *sym);
void kernel_symbols_sort(struct kernel_symbols *k);

/* The name of that place to the model, if one holds it.  0 or -ENOMEM. */
int kernel_symbols_name(const struct kernel_symbols *k, struct model *m,
    uint32_t module, uint64_t address);

void kernel_symbols_free(struct kernel_symbols *k);

#endif
