/*
 * Context: O.  Names of functions with the namespaces and classes around them.
 */
#ifndef QUALIFY_H
#define QUALIFY_H

#include "arena.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct qualify_scope {
	uint32_t outer;		/* 0 = none */
	const char *name;
};

struct qualify_function {
	const void *entry;	/* where its declaration lies; NULL = empty */
	uint32_t scope;
	const char *name;	/* NULL = nobody asked yet */
};

/* Of the units that were asked about. */
struct qualify {
	struct arena *arena;
	struct qualify_scope *scopes;
	size_t scope_count, scope_room;
	struct qualify_function *slots;	/* of a hash table */
	size_t count, slot_count;	/* a power of 2 */
	bool failed;			/* memory is out */
};

/*
 * The name of an entry of that name, in the arena, or that name where nothing
 * is around it.
 */
const char *qualify_name(struct qualify *q, Dwarf_Die *entry,
    const char *name);
void qualify_free(struct qualify *q);

#endif
