/*
 * Context: O.  Demangles C++ and Rust names with libiberty, for the model, the
 * listing and views; see demangle.h.
 */
#include "symbol/demangle.h"

#include "symbol/cxx_name.h"

#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

/* A longer name is an attack on the demangler, whose time can explode. */
#define DEMANGLE_MAX 16384

const char *
demangle_name(struct arena *arena, const char *name, enum demangle how)
{
	size_t bytes = strcspn(name, "@");	/* "@plt" is added by plt.c */
	const char *shown;
	char *plain, *clear, *shorter;

	if (how == DEMANGLE_OFF || name[0] != '_' || bytes > DEMANGLE_MAX)
		return name;
	plain = strndup(name, bytes);
	if (plain == NULL)
		return NULL;
	clear = cplus_demangle(plain, DMGL_AUTO | DMGL_ANSI |
	    (how == DEMANGLE_SHORT ? 0 : DMGL_PARAMS));
	free(plain);
	if (clear == NULL)
		return name;
	shorter = how != DEMANGLE_FULL ? cxx_name_shorten(clear) : NULL;
	if (shorter != NULL) {
		free(clear);
		clear = shorter;
	}
	shown = arena_join(arena, clear, strlen(clear), name + bytes);
	free(clear);
	return shown;
}
