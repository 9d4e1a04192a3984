/*
 * Context: S.  Fills the tables that allocation functions jump by, for the
 * first call of such a function, the start, got_patch.c and orders of tools;
 * see alloc_dispatch.h.
 */
#include "heap/alloc_dispatch.h"

#include "base/state.h"
#include "heap/map_dispatch.h"
#include "module/link_map.h"

#include <errno.h>

void *alloc_dispatch_table[ALLOC_DISPATCH_COUNT];
void *alloc_dispatch_entry_table[ALLOC_DISPATCH_ALL];

void *alloc_dispatch_real[ALLOC_DISPATCH_ALL];
void *alloc_dispatch_next[ALLOC_DISPATCH_COUNT];

bool alloc_dispatch_patched;

/* Stubs that count all calls, or chosen ones, by alloc_dispatch_set_stubs(). */
static void *const *counting_stubs, *const *sampling_stubs;

const char *const alloc_dispatch_names[ALLOC_DISPATCH_ALL] = {
#define ALLOC_DISPATCH_NAME(number, name) [number] = #name,
	ALLOC_DISPATCH_FUNCTIONS(ALLOC_DISPATCH_NAME)
	ALLOC_DISPATCH_OPERATORS(ALLOC_DISPATCH_NAME)
#undef ALLOC_DISPATCH_NAME
};

bool
alloc_dispatch_find_next(void)
{
	for (unsigned i = 0; i < ALLOC_DISPATCH_COUNT; i++)
		alloc_dispatch_real[i] =
		    link_map_next_function(alloc_dispatch_names[i]);
	return alloc_dispatch_real[ALLOC_malloc] != NULL;
}

bool
alloc_dispatch_interposes(void)
{
	const struct link_map_object *allocator =
	    link_map_find_definer("malloc");
	const struct link_map_object *operators =
	    link_map_find_definer("_Znwm");

	return alloc_dispatch_patched || (allocator != NULL &&
	    link_map_is_own(allocator) && (operators == NULL ||
	    link_map_function(operators, "malloc") == NULL));
}

uint32_t
alloc_dispatch_no_modes(void)
{
	return config.blocks && !alloc_dispatch_interposes() ?
	    FORMAT_MODE_MEMORY : 0;
}

/*
 * Returns the real function i.  If libc is too old to have the function, no
 * caller of it was built for that libc; free(), the nearest function, takes its
 * place.
 */
static void *
real_alloc_function(unsigned i)
{
	if (alloc_dispatch_real[i] == NULL && (i == ALLOC_cfree ||
	    i == ALLOC_free_sized || i == ALLOC_free_aligned_sized))
		alloc_dispatch_real[i] = alloc_dispatch_real[ALLOC_free];
	return alloc_dispatch_real[i];
}

void *
alloc_dispatch_missing(void)
{
	return NULL;
}

int
alloc_dispatch_missing_posix(void)
{
	return ENOMEM;
}

/* Returns what stands for function i where no library has it. */
static void *
missing_function(unsigned i)
{
	return i == ALLOC_posix_memalign ?
	    (void *)alloc_dispatch_missing_posix :
	    (void *)alloc_dispatch_missing;
}

/*
 * Stores in both tables where each function goes; count: to the stub that
 * counts it.  Other threads jump by the tables meanwhile.
 */
static void
update_alloc_table(bool count)
{
	void *const *stubs = config.heap_period != 0 ? sampling_stubs :
	    counting_stubs;

	for (unsigned i = 0; i < ALLOC_DISPATCH_ALL; i++) {
		void *way = real_alloc_function(i) == NULL ?
		    missing_function(i) : count ? stubs[i] :
		    real_alloc_function(i);

		__atomic_store_n(&alloc_dispatch_entry_table[i], way,
		    __ATOMIC_RELEASE);
		if (i < ALLOC_DISPATCH_COUNT)
			__atomic_store_n(&alloc_dispatch_table[i],
			    alloc_dispatch_next[i] != NULL ?
			    alloc_dispatch_next[i] : way, __ATOMIC_RELEASE);
	}
}

void
alloc_dispatch_update(void)
{
	update_alloc_table(mon != NULL && config.blocks &&
	    !lineage_is_paused(LINEAGE_NO_HEAP));
}

void
alloc_dispatch_set_stubs(void *const *counting, void *const *sampling)
{
	counting_stubs = counting;
	sampling_stubs = sampling;
}

bool
alloc_dispatch_start(void)
{
	if (config.maps)
		map_dispatch_start();
	if (!config.blocks)
		return true;
	if (!alloc_dispatch_interposes())
		return false;
	if (alloc_dispatch_real[ALLOC_malloc] != NULL)
		update_alloc_table(true);
	return true;
}
