/* Context: O.  C++ and Rust names as they are written. */
#ifndef DEMANGLE_NAME_H
#define DEMANGLE_NAME_H

#include "arena.h"

/* How much of a name is shown. */
enum demangle {
	DEMANGLE_OFF,
	DEMANGLE_SHORT,		/* no parameter types */
	DEMANGLE_FULL,
};

/* In the arena, or `name` itself when it is not mangled; NULL = no memory. */
const char *demangle_name(struct arena *arena, const char *name,
    enum demangle how);

#endif
