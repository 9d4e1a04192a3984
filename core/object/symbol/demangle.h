/*
 * Context: O.  Shows mangled C++ and Rust names as they are written in the
 * source.
 */
#ifndef DEMANGLE_NAME_H
#define DEMANGLE_NAME_H

#include "base/arena.h"

/* How much of a demangled name is shown. */
enum demangle {
	DEMANGLE_OFF,		/* the mangled name */
	DEMANGLE_SHORT,		/* without parameter types */
	DEMANGLE_FULL,
};

/*
 * Returns the demangled name in the arena, `name` itself if it is not mangled,
 * or NULL if memory is out.
 */
const char *demangle_name(struct arena *arena, const char *name,
    enum demangle how);

#endif
