/*
 * Context: T.  libc's own functions behind our hooks.
 *
 * All are found at once and early: several of the hooks may be called from signal handlers,
 * where dlsym must not be.
 */
#include "real.h"

#include "hook.h"
#include "start.h"

#include <dlfcn.h>

struct real real;

static bool found;

static void
find_all(void)
{
	found = true;
#define REAL_FIND(result, name, arguments) \
	real.name = (result (*) arguments)dlsym(RTLD_NEXT, #name);
	REAL_TABLE(REAL_FIND)
#undef REAL_FIND
}

void *
real_find(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

void
real_begin(void)
{
	if (found)
		return;
	find_all();
	start_library();
}
