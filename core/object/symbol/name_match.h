/*
 * Context: O.  Matches names of functions and modules with what a user types
 * for them.  base/filter.c and names/filter_names.c of the model choose how
 * loosely, derive/charge_callers.c matches modules.
 */
#ifndef NAME_MATCH_H
#define NAME_MATCH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns whether a pattern matches a demangled name in that way.  A name that
 * equals the pattern always matches; "" matches nothing else.
 */
enum name_match {
	NAME_MATCH_WHOLE,	/* a shell pattern for the whole name */
	/*
	 * the last component, or the last few: slow_hash and
	 * Store::slow_hash of app::Store::slow_hash<int>; memcpy of
	 * __memcpy_avx_unaligned
	 */
	NAME_MATCH_COMPONENT,
	NAME_MATCH_PART,	/* any part, in upper or lower case */
	NAME_MATCHES,
};

/* Returns whether a pattern matches a name in that way. */
bool name_match(const char *pattern, const char *name, enum name_match how);

/*
 * Returns the length of a name, as stored or demangled in short, without the
 * mark by which a compiler names a copy or a part of a function, such as
 * ".isra.0" or ".cold".
 */
size_t name_match_clone_mark(const char *name);

#endif
