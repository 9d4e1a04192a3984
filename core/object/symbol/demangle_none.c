/* Context: O.  For builds without libiberty: names stay as they are stored. */
#include "symbol/demangle.h"

const char *
demangle_name(struct arena *arena, const char *name, enum demangle how)
{
	(void)arena;
	(void)how;
	return name;
}
