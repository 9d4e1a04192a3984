/*
 * Context: T.  The first call of a function that allocates or maps memory,
 * which can be the loader's, before our constructor: where do they go?
 */
#include "heapway.h"
#include "hook.h"
#include "mapway.h"

#include <dlfcn.h>

void heap_first(void);
void map_first(void);

/* Where there is no list of the loader's, its lookup is taken. */
static void
look_up(void **to, const char *const *names, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		to[i] = dlsym(RTLD_NEXT, names[i]);
}

void
heap_first(void)
{
	int saved = errno;

	real_find_objects();
	if (!heap_look_behind())
		look_up(heap_real, heap_names, HEAP_COUNT);
	heap_lead();
	errno = saved;
}

void
map_first(void)
{
	int saved = errno;

	real_find_objects();
	if (!map_look_behind())
		look_up(map_real, map_names, MAP_COUNT);
	map_lead();
	errno = saved;
}
