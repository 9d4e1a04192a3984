/*
 * Context: O.  The modules of a device, numbered in the order of first sight.
 */
#ifndef CATALOGUE_H
#define CATALOGUE_H

#include "model.h"

/* A number means one module for good, whatever is built at its path since. */
struct catalogue_entry {
	char *path;		/* or as it is known: "[vdso]" */
	unsigned char build_id[32];
	size_t build_id_bytes;
	bool gone;		/* forgotten, until it is seen again */
};

struct catalogue {
	struct catalogue_entry *all;
	size_t count, room;
};

/* From 1 on; 0: no memory. */
uint32_t catalogue_number(struct catalogue *c, const struct model_module *m);

/* NULL: nothing of that number has been seen, or it is forgotten. */
const struct catalogue_entry *catalogue_at(const struct catalogue *c,
    uint32_t number);

/* The last part of its path. */
const char *catalogue_name(const struct catalogue_entry *e);

void catalogue_forget(struct catalogue *c);
void catalogue_free(struct catalogue *c);

#endif
