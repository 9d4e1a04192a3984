/*
 * Context: T.  Resolves the real functions at the first call of a function that
 * allocates or maps memory.  The stubs in stubs_CPU.S call these functions, in
 * any thread.  That call can be the loader's, before our constructor, and the
 * first calls of two threads may come at once.
 */
#include "heap/alloc_dispatch.h"
#include "heap/map_dispatch.h"
#include "hook.h"

#include <dlfcn.h>

/*
 * Look for the real functions and fill the tables that the stubs jump by: of
 * functions that allocate, and of those that map.  Keep errno.
 */
void hook_resolve_alloc(void);
void hook_resolve_map(void);

/*
 * Return libc's function of that number, for a call while this library is not
 * relocated, or NULL.  Their tables of names have no pointers, which would have
 * to be relocated.
 */
void *hook_resolve_alloc_early(unsigned number)
    __attribute__((visibility("hidden")));
void *hook_resolve_map_early(unsigned number)
    __attribute__((visibility("hidden")));

/*
 * Fills to[] by the loader's own lookup, where its list of objects cannot be
 * read or has no malloc().
 */
static void
resolve_by_dlsym(void **to, const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = dlsym(RTLD_NEXT, names[i]);
}

void
hook_resolve_alloc(void)
{
	int saved = errno;

	real_find_objects();
	if (!alloc_dispatch_find_next())
		resolve_by_dlsym(alloc_dispatch_real, alloc_dispatch_names,
		    ALLOC_DISPATCH_COUNT);
	alloc_dispatch_update();
	errno = saved;
}

void
hook_resolve_map(void)
{
	int saved = errno;

	real_find_objects();
	if (!map_real_find_next())
		resolve_by_dlsym(map_real, map_real_names,
		    MAP_REAL_COUNT);
	map_dispatch_update();
	errno = saved;
}

void *
hook_resolve_alloc_early(unsigned number)
{
	static const char names[ALLOC_DISPATCH_COUNT][20] = {
#define ALLOC_DISPATCH_TEXT(number, name) [number] = #name,
		ALLOC_DISPATCH_FUNCTIONS(ALLOC_DISPATCH_TEXT)
#undef ALLOC_DISPATCH_TEXT
	};

	void *libcs = real_find_unrelocated(names[number]);

	return libcs == NULL && number == ALLOC_posix_memalign ?
	    (void *)alloc_dispatch_missing_posix : libcs;
}

void *
hook_resolve_map_early(unsigned number)
{
	static const char names[MAP_REAL_COUNT][8] = {
#define MAP_REAL_TEXT(number, name) [number] = #name,
		MAP_REAL_FUNCTIONS(MAP_REAL_TEXT)
#undef MAP_REAL_TEXT
	};

	return real_find_unrelocated(names[number]);
}
