/*
 * Context: O.  Keeps the names of kernel functions that a tprof.out brings.
 * read_tprof.c adds them, tprof_stacks.c sorts and looks them up.
 */
#ifndef KERNEL_SYMBOLS_H
#define KERNEL_SYMBOLS_H

#include "base/model.h"

/* One kernel function. */
struct kernel_symbols_entry {
	uint64_t start;
	uint32_t bytes;
	const char *name;
};

/* A table of kernel functions.  All fields 0 is an empty table. */
struct kernel_symbols {
	struct kernel_symbols_entry *all;
	size_t count, room;
};

/*
 * Adds a function, in any order, before kernel_symbols_sort().  The name is not
 * copied and must outlive the model.  Returns 0 or -ENOMEM.
 */
int kernel_symbols_add(struct kernel_symbols *k,
    const struct kernel_symbols_entry *sym);

/* Sorts the table by address, so that it can be searched. */
void kernel_symbols_sort(struct kernel_symbols *k);

/*
 * After kernel_symbols_sort(): adds the name of the kernel function that
 * contains `address` to m->given, as the name of that address in `module`.
 * Adds nothing if no function contains it.  Returns 0 or -ENOMEM.
 */
int kernel_symbols_name(const struct kernel_symbols *k, struct model *m,
    uint32_t module, uint64_t address);

/* Frees the table. */
void kernel_symbols_free(struct kernel_symbols *k);

#endif
