/*
 * Context: O.  Shows mangled C++ and Rust names as they are written in the
 * source.  For the model, the listing and the view that tells equal names
 * apart.
 */
#ifndef DEMANGLE_NAME_H
#define DEMANGLE_NAME_H

#include "base/arena.h"

/* How much of a demangled name is shown. */
enum demangle {
	DEMANGLE_OFF,		/* the mangled name */
	/* without parameter types, and as cxx_name.h shortens it */
	DEMANGLE_SHORT,
	/* with parameter types, as cxx_name.h shortens it */
	DEMANGLE_PARAMETERS,
	DEMANGLE_FULL,
};

/*
 * Returns the demangled name in the arena; `name` itself if it is not mangled,
 * if `how` is DEMANGLE_OFF or if this build has no demangler; or NULL if memory
 * is out.
 */
const char *demangle_name(struct arena *arena, const char *name,
    enum demangle how);

#endif
