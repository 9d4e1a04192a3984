/*
 * Context: O.  Names of functions with the namespaces and classes around them.
 */
#ifndef CXX_QUALIFY_H
#define CXX_QUALIFY_H

#include "arena.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct cxx_qualify_scope {
	uint32_t outer;		/* 0 = none */
	const char *name;
};

struct cxx_qualify_function {
	const void *entry;	/* where its declaration lies; NULL = empty */
	uint32_t scope;
	const char *name;	/* NULL = nobody asked yet */
};

/* Of the units that were asked about. */
struct cxx_qualify {
	struct arena *arena;
	struct cxx_qualify_scope *scopes;
	size_t scope_count, scope_room;
	struct cxx_qualify_function *slots;	/* of a hash table */
	size_t count, slot_count;	/* a power of 2 */
	bool failed;			/* memory is out */
};

/*
 * The name of an entry of that name, in the arena, or that name where nothing
 * is around it.
 */
const char *cxx_qualify_name(struct cxx_qualify *q, Dwarf_Die *entry,
    const char *name);
void cxx_qualify_free(struct cxx_qualify *q);

#endif
