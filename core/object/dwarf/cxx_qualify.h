/*
 * Context: O.  Qualified names of functions, with the namespaces and classes
 * around them, from debug information.
 */
#ifndef CXX_QUALIFY_H
#define CXX_QUALIFY_H

#include "base/arena.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* A namespace, class or unit around functions. */
struct cxx_qualify_scope {
	uint32_t outer;		/* number of the scope around it, 0: none */
	const char *name;
};

/* An entry of the hash table: a function's declaration and its name. */
struct cxx_qualify_function {
	/* Address of its declaration; NULL: empty entry */
	const void *entry;
	uint32_t scope;		/* number of the scope that it is in */
	const char *name;	/* qualified name; NULL: not asked for yet */
};

/*
 * The scopes and functions of the units that were asked about.  Set `arena`,
 * all else is zero at first.
 */
struct cxx_qualify {
	struct arena *arena;
	struct cxx_qualify_scope *scopes;
	size_t scope_count, scope_room;
	/* Hash table of slot_count entries */
	struct cxx_qualify_function *slots;
	size_t count, slot_count;	/* entries in use; a power of 2 */
	bool failed;			/* memory was out */
};

/*
 * Returns the qualified name of the function of `entry`, whose plain name is
 * `name`.  The result is in the arena; it is `name` itself if nothing is around
 * the function.
 */
const char *cxx_qualify_name(struct cxx_qualify *q, Dwarf_Die *entry,
    const char *name);
/* Frees all but the names in the arena. */
void cxx_qualify_free(struct cxx_qualify *q);

#endif
