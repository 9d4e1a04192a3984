/* Context: S.  Where calls that map memory go; see mapway.h. */
#include "mapway.h"

#include "loaded.h"
#include "state.h"

void *map_way[MAP_COUNT];
void *map_real[MAP_COUNT];

/* The ways that count: core/arch/CPU/map.S. */
extern void *const map_counting[MAP_COUNT]
    __attribute__((visibility("hidden")));

const char *const map_names[MAP_COUNT] = {
#define MAP_NAME(number, name) [number] = #name,
	MAP_FUNCTIONS(MAP_NAME)
#undef MAP_NAME
};

bool
map_look_behind(void)
{
	unsigned i;

	for (i = 0; i < MAP_COUNT; i++)
		map_real[i] = loaded_function_behind(map_names[i]);
	return map_real[MAP_mmap] != NULL;
}

static void
lead(bool count)
{
	unsigned i;

	for (i = 0; i < MAP_COUNT; i++)
		__atomic_store_n(&map_way[i], count ? map_counting[i] :
		    map_real[i], __ATOMIC_RELEASE);
}

void
map_lead(void)
{
	lead(mon != NULL && config.maps && !lineage_is(LINEAGE_NO_HEAP));
}

/* Else they are looked for at the first call. */
void
map_begin(void)
{
	if (map_real[MAP_mmap] != NULL)
		lead(true);
}
