/*
 * Context: S.  Finds the real functions that map memory, for hook_resolve.c, at
 * the first call of one; see map_real.h.
 */
#include "heap/map_real.h"

#include "module/link_map.h"

#include <stddef.h>

void *map_real[MAP_REAL_COUNT];

const char *const map_real_names[MAP_REAL_COUNT] = {
#define MAP_REAL_NAME(number, name) [number] = #name,
	MAP_REAL_FUNCTIONS(MAP_REAL_NAME)
#undef MAP_REAL_NAME
};

bool
map_real_find_next(void)
{
	for (unsigned i = 0; i < MAP_REAL_COUNT; i++)
		map_real[i] =
		    link_map_next_function(map_real_names[i]);
	return map_real[MAP_mmap] != NULL;
}
