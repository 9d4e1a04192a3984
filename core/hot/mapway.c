/* Context: S.  Where calls that map memory go; see mapway.h. */
#include "mapway.h"

#include "loaded.h"
#include "state.h"
#include "textmap.h"

void *map_way[MAP_COUNT];
void *map_real[MAP_COUNT];

/* The ways that count: core/arch/CPU/map.S. */
extern void *const map_counting[MAP_COUNT]
    __attribute__((visibility("hidden")));

/* Returns the function i that counts nothing. */
static void *
plain_way(unsigned i)
{
	switch (i) {
	case MAP_mmap:
		return (void *)textmap_mmap;
	case MAP_mmap64:
		return (void *)textmap_mmap64;
	case MAP_munmap:
		return (void *)textmap_munmap;
	case MAP_mremap:
		return (void *)textmap_mremap;
	}
	return map_real[i];
}

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
		    plain_way(i), __ATOMIC_RELEASE);
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
