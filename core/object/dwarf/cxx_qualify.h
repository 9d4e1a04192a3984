/*
 * Context: O.  Qualified names of functions, with the namespaces and classes
 * around them, from debug information.  lines.c has one struct cxx_qualify for
 * each file that it reads.
 */
#ifndef CXX_QUALIFY_H
#define CXX_QUALIFY_H

#include "base/arena.h"
#include "base/hash_index.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* A namespace, class or unit around functions. */
struct cxx_qualify_scope {
	uint32_t outer;		/* number of the scope around it, 0: none */
	const char *name;
};

/* A function or unit that was walked. */
struct cxx_qualify_function {
	const void *entry;	/* address of its declaration */
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
	struct cxx_qualify_function *functions;
	size_t function_count, function_room;
	struct hash_index by_entry;
	bool failed;		/* memory was out */
};

/*
 * Returns the qualified name of the function of `entry`, whose plain name is
 * `name`.  The result is in the arena; it is `name` itself if nothing is around
 * the function.  A lambda expression is named by its place.  Returns NULL if
 * `name` is NULL, or with q->failed set if memory is out.
 */
const char *cxx_qualify_name(struct cxx_qualify *q, Dwarf_Die *entry,
    const char *name);
/* Frees all but the names in the arena. */
void cxx_qualify_free(struct cxx_qualify *q);

#endif
