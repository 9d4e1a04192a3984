/*
 * Context: S.  Memory for the first tables of a process, for cct.c, tick_path.c
 * and unwind_cache.c; see wiped_memory.h.
 */
#include "base/wiped_memory.h"

#include "base/mmap_area.h"
#include "base/state.h"

#define ALIGN	64u	/* a cache line */

/*
 * A call of an ancestor may continue in this process.  A fork does not wipe
 * it: the call continues in each further child, too.
 */
static atomic_bool closed;

/* Takes n bytes of the state, or returns NULL if it has less. */
static void *
take_of_state(size_t n)
{
	uint32_t used = atomic_load(&mon->tables_used);

	if (atomic_load(&closed))
		return NULL;
	do
		if (n > sizeof(mon->tables) - used)
			return NULL;
	while (!atomic_compare_exchange_weak(&mon->tables_used, &used,
	    used + (uint32_t)n));
	return mon->tables + used;
}

void *
wiped_memory_alloc(size_t n)
{
	const size_t bytes = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	void *p = bytes < n ? NULL : take_of_state(bytes);

	return p != NULL ? p : mmap_area_alloc(n);
}

void
wiped_memory_free(void *p, size_t n)
{
	const unsigned char *at = p;

	if (at < mon->tables || at >= mon->tables + sizeof(mon->tables))
		mmap_area_unmap(p, n);
}

void
wiped_memory_close(void)
{
	atomic_store(&closed, true);
}
