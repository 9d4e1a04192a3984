/*
 * Context: T.  Tells the start (life/start.c) whether this library was linked
 * or preloaded.
 *
 * A library that is only linked does nothing by itself.  LD_PRELOAD usually
 * tells.  If it does not name the library (a link of another name,
 * ld.so.preload, dlopen), the loader's list tells: an object that needs the
 * library names it.
 */
#include "options/link_mode.h"

#include "base/str.h"
#include "module/link_map.h"

#include <stddef.h>

#define LIBMON_FILE	"libmon.so"

/*
 * Returns whether a list of paths, separated by colons or spaces, names the
 * library.
 */
static bool
lists_libmon(const char *p)
{
	bool base = true;

	for (; p != NULL && *p != '\0'; p++) {
		if (base && str_begins(p, LIBMON_FILE))
			return true;
		base = *p == '/' || *p == ':' || *p == ' ';
	}
	return false;
}

bool
link_mode_is_linked(const char *preload)
{
	if (lists_libmon(preload))
		return false;
	for (const struct link_map_object *l = link_map_first; l != NULL;
	    l = l->next)
		if (link_map_needs(l, LIBMON_FILE))
			return true;
	return false;
}
