/*
 * Context: O.  Prints names of functions for tables, trees, graphs, findings
 * and tprof top; see name_text.h.
 */
#include "base/name_text.h"

#include "symbol/cxx_collapse.h"

#include <stdlib.h>

int
name_text_fit(const struct term *t, const char *name, int room)
{
	char *collapsed = NULL;
	int columns;

	if (term_columns(name) > room)
		collapsed = cxx_collapse(name, (size_t)room);
	columns = term_text(t, collapsed != NULL ? collapsed : name, room);
	free(collapsed);
	return columns;
}

int
name_text(const struct term *t, const struct model *m, const char *name,
    int room)
{
	if (room <= 0)
		room = m->demangle == DEMANGLE_SHORT ? NAME_TEXT_MOST : 0;
	return room == 0 ? term_text(t, name, 0) :
	    name_text_fit(t, name, room);
}
