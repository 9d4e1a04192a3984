/* Context: O.  Names of kernel functions that a tprof.out brings. */
#ifndef KSYMS_H
#define KSYMS_H

#include "model.h"

struct ksym {
	uint64_t start;
	uint32_t bytes;
	const char *name;
};

/* All 0 is one that holds nothing. */
struct ksyms {
	struct ksym *all;
	size_t count, room;
};

/* Any order, until ksyms_sort().  0 or -ENOMEM. */
int ksyms_add(struct ksyms *k, const struct ksym *sym);
void ksyms_sort(struct ksyms *k);

/* The name of that place to the model, if one holds it.  0 or -ENOMEM. */
int ksyms_give(const struct ksyms *k, struct model *m, uint32_t module,
    uint64_t address);

void ksyms_free(struct ksyms *k);

#endif
