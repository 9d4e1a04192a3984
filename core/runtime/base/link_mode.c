/*
 * Context: T.  Is this library only here as a program is linked with it?
 *
 * Then it does nothing by itself.  As a rule LD_PRELOAD answers; where that
 * does not name us (a link of another name, ld.so.preload, dlopen), the
 * loader's list does: an object that needs us says so.
 */
#include "base/link_mode.h"

#include "base/str.h"
#include "module/link_map.h"

#include <stddef.h>

#define LIBMON_FILE	"libmon.so"

/* A list of paths, by colons or spaces. */
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
	const struct link_map_object *l;

	if (lists_libmon(preload))
		return false;
	for (l = link_map_first; l != NULL; l = l->next)
		if (link_map_needs(l, LIBMON_FILE))
			return true;
	return false;
}
