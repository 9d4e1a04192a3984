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

/*
 * Return libc's function of that number while we are not relocated, or NULL.
 * Their tables have no pointers, which would have to be relocated.
 */
void *heap_early(unsigned number) __attribute__((visibility("hidden")));
void *map_early(unsigned number) __attribute__((visibility("hidden")));

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

void *
heap_early(unsigned number)
{
	static const char names[HEAP_COUNT][20] = {
#define HEAP_TEXT(number, name) [number] = #name,
		HEAP_FUNCTIONS(HEAP_TEXT)
#undef HEAP_TEXT
	};

	return real_unrelocated(names[number]);
}

void *
map_early(unsigned number)
{
	static const char names[MAP_COUNT][8] = {
#define MAP_TEXT(number, name) [number] = #name,
		MAP_FUNCTIONS(MAP_TEXT)
#undef MAP_TEXT
	};

	return real_unrelocated(names[number]);
}
