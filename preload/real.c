/*
 * Context: T.  libc's own functions behind our hooks.
 *
 * real.h says which are found when, and why.
 */
#include "real.h"

#include "start.h"

#include <dlfcn.h>
#include <errno.h>

extern char **environ;

struct real real;

static bool found;

static void
find_early(void)
{
	found = true;
#define REAL_FIND(result, name, arguments) \
	real.name = (result (*) arguments)dlsym(RTLD_NEXT, #name);
	REAL_EARLY(REAL_FIND)
#undef REAL_FIND
}

void
real_late(void **place, const char *name)
{
	if (*place == NULL)
		*place = dlsym(RTLD_NEXT, name);
}

void
real_begin(void)
{
	int saved;

	if (found)
		return;
	saved = errno;
	find_early();
	errno = saved;
	/* In a .preinit_array libc has none: the constructor starts then. */
	if (environ != NULL)
		start_library(environ);
}
