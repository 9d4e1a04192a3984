/*
 * Context: T.  Is this library only here as a program is linked with it?
 *
 * Then it does nothing by itself.  As a rule LD_PRELOAD answers; where that
 * does not name us (a link of another name, ld.so.preload, dlopen), the
 * loader's list does: an object that needs us says so.
 */
#include "linked.h"

#include "loaded.h"
#include "str.h"

#include <stddef.h>

#define FILE	"libmon.so"

/* A list of paths, by colons or spaces. */
static bool
names_us(const char *p)
{
	bool base = true;

	for (; p != NULL && *p != '\0'; p++) {
		if (base && str_begins(p, FILE))
			return true;
		base = *p == '/' || *p == ':' || *p == ' ';
	}
	return false;
}

bool
linked_only(const char *preload)
{
	const struct loaded *l;

	if (names_us(preload))
		return false;
	for (l = loaded_first; l != NULL; l = l->next)
		if (loaded_needs(l, FILE))
			return true;
	return false;
}
