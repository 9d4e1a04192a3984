/*
 * Context: O.  Numbers the modules of a device in the order in which they are
 * first seen.  Each device has one list (device.catalogue): snapshots assign
 * the numbers, device_files.c and proffs look them up.
 */
#ifndef MODULE_IDS_H
#define MODULE_IDS_H

#include "base/model.h"

/*
 * A numbered module.  A number stands for one module forever, also after
 * another object is built at its path.
 */
struct module_ids_entry {
	char *path;		/* path, or another name such as "[vdso]" */
	unsigned char build_id[32];
	size_t build_id_bytes;
	bool gone;		/* forgotten until it is seen again */
};

/* All numbered modules; number n is all[n - 1].  Zeroed at first. */
struct module_ids {
	struct module_ids_entry *all;
	size_t count, room;
};

/*
 * Returns the number of a module, from 1 on, and gives it one if it has none.
 * Returns 0 without memory.
 */
uint32_t module_ids_assign(struct module_ids *c, const struct model_module *m);

/*
 * Returns the module of a number; NULL if there is none or it is forgotten.
 * Valid until the next module_ids_assign().
 */
const struct module_ids_entry *module_ids_get(const struct module_ids *c,
    uint32_t number);

/* Returns the last component of the module's path. */
const char *module_ids_name(const struct module_ids_entry *e);

/*
 * Marks all modules as forgotten, without giving their numbers to others
 * (module_ids_forget), or frees the list (module_ids_free).
 */
void module_ids_forget(struct module_ids *c);
void module_ids_free(struct module_ids *c);

#endif
