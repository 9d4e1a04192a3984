/*
 * Context: O.  The modules of a device, numbered in the order of first sight.
 */
#ifndef MODULE_IDS_H
#define MODULE_IDS_H

#include "base/model.h"

/* A number means one module for good, whatever is built at its path since. */
struct module_ids_entry {
	char *path;		/* or as it is known: "[vdso]" */
	unsigned char build_id[32];
	size_t build_id_bytes;
	bool gone;		/* forgotten, until it is seen again */
};

struct module_ids {
	struct module_ids_entry *all;
	size_t count, room;
};

/* From 1 on; 0: no memory. */
uint32_t module_ids_assign(struct module_ids *c, const struct model_module *m);

/* NULL: nothing of that number has been seen, or it is forgotten. */
const struct module_ids_entry *module_ids_get(const struct module_ids *c,
    uint32_t number);

/* The last part of its path. */
const char *module_ids_name(const struct module_ids_entry *e);

void module_ids_forget(struct module_ids *c);
void module_ids_free(struct module_ids *c);

#endif
