/*
 * Context: S.  Fills the table that calls which map memory jump by, for the
 * first such call (hook_resolve.c), the start, and alloc_dispatch.c; see
 * map_dispatch.h.
 */
#include "heap/map_dispatch.h"

#include "base/state.h"
#include "module/code_unmap.h"

void *map_dispatch_table[MAP_REAL_COUNT];

/* Stubs that count, set by map_dispatch_set_stubs(). */
static void *const *counting_stubs;

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
	return map_real[i];
}

static void
update_map_table(bool count)
{
	for (unsigned i = 0; i < MAP_REAL_COUNT; i++)
		__atomic_store_n(&map_dispatch_table[i], count ?
		    counting_stubs[i] : uncounted_map_call(i),
		    __ATOMIC_RELEASE);
}

void
map_dispatch_update(void)
{
	update_map_table(mon != NULL && config.maps &&
	    !lineage_is_paused(LINEAGE_NO_HEAP));
}

void
map_dispatch_set_stubs(void *const *counting)
{
	counting_stubs = counting;
}

/*
 * If the real functions are not known yet, the first call looks for them
 * (hook_resolve_map()), and then calls map_dispatch_update().
 */
void
map_dispatch_start(void)
{
	if (map_real[MAP_mmap] != NULL)
		update_map_table(true);
}
