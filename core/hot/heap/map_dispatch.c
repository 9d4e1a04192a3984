/*
 * Context: S.  Fills the table that calls which map memory jump by; see
 * map_dispatch.h.
 */
#include "heap/map_dispatch.h"

#include "base/state.h"
#include "module/code_unmap.h"
#include "module/link_map.h"

void *map_dispatch_table[MAP_DISPATCH_COUNT];
void *map_dispatch_real[MAP_DISPATCH_COUNT];

/* Stubs that count: core/arch/CPU/map.S. */
extern void *const map_dispatch_counting[MAP_DISPATCH_COUNT]
    __attribute__((visibility("hidden")));

/* Returns function i of those that do not count. */
static void *
uncounted_map_call(unsigned i)
{
	switch (i) {
	case MAP_mmap:
		return (void *)code_unmap_mmap;
	case MAP_mmap64:
		return (void *)code_unmap_mmap64;
	case MAP_munmap:
		return (void *)code_unmap_munmap;
	case MAP_mremap:
		return (void *)code_unmap_mremap;
	}
	return map_dispatch_real[i];
}

const char *const map_dispatch_names[MAP_DISPATCH_COUNT] = {
#define MAP_DISPATCH_NAME(number, name) [number] = #name,
	MAP_DISPATCH_FUNCTIONS(MAP_DISPATCH_NAME)
#undef MAP_DISPATCH_NAME
};

bool
map_dispatch_find_next(void)
{
	unsigned i;

	for (i = 0; i < MAP_DISPATCH_COUNT; i++)
		map_dispatch_real[i] =
		    link_map_next_function(map_dispatch_names[i]);
	return map_dispatch_real[MAP_mmap] != NULL;
}

static void
update_map_table(bool count)
{
	unsigned i;

	for (i = 0; i < MAP_DISPATCH_COUNT; i++)
		__atomic_store_n(&map_dispatch_table[i], count ?
		    map_dispatch_counting[i] : uncounted_map_call(i),
		    __ATOMIC_RELEASE);
}

void
map_dispatch_update(void)
{
	update_map_table(mon != NULL && config.maps &&
	    !lineage_is_paused(LINEAGE_NO_HEAP));
}

/*
 * If the real functions are not known yet, the first call looks for them, and
 * then calls map_dispatch_update().
 */
void
map_dispatch_start(void)
{
	if (map_dispatch_real[MAP_mmap] != NULL)
		update_map_table(true);
}
