/* Context: S.  Where calls of allocation functions go; see heapway.h. */
#include "heapway.h"

#include "loaded.h"
#include "mapway.h"
#include "state.h"

void *heap_way[HEAP_COUNT];
void *heap_entry_way[HEAP_ALL];

void *heap_real[HEAP_ALL];
void *heap_behind[HEAP_COUNT];

bool heap_patched;

/* The ways that count, all or some: core/arch/CPU/heap.S. */
extern void *const heap_counting[HEAP_ALL]
    __attribute__((visibility("hidden")));
extern void *const heap_sampling[HEAP_ALL]
    __attribute__((visibility("hidden")));

/* A way of what nobody has: code. */
extern char heap_nothing[] __attribute__((visibility("hidden")));

const char *const heap_names[HEAP_ALL] = {
#define HEAP_NAME(number, name) [number] = #name,
	HEAP_FUNCTIONS(HEAP_NAME)
	HEAP_OPERATORS(HEAP_NAME)
#undef HEAP_NAME
};

bool
heap_look_behind(void)
{
	unsigned i;

	for (i = 0; i < HEAP_COUNT; i++)
		heap_real[i] = loaded_function_behind(heap_names[i]);
	return heap_real[HEAP_malloc] != NULL;
}

bool
heap_is_reached(void)
{
	const struct loaded *allocator = loaded_first_with("malloc");
	const struct loaded *operators = loaded_first_with("_Znwm");

	return heap_patched || (allocator != NULL &&
	    loaded_is_own(allocator) && (operators == NULL ||
	    loaded_function(operators, "malloc") == NULL));
}

/* What an older libc lacks, and hence no caller of it has, its nearest does. */
static void *
real(unsigned i)
{
	if (heap_real[i] == NULL && (i == HEAP_cfree || i == HEAP_free_sized ||
	    i == HEAP_free_aligned_sized))
		heap_real[i] = heap_real[HEAP_free];
	return heap_real[i];
}

static void
lead(bool count)
{
	void *const *counting = config.heap_period != 0 ? heap_sampling :
	    heap_counting;
	unsigned i;

	for (i = 0; i < HEAP_ALL; i++) {
		void *way = real(i) == NULL ? heap_nothing :
		    count ? counting[i] : real(i);

		__atomic_store_n(&heap_entry_way[i], way, __ATOMIC_RELEASE);
		if (i < HEAP_COUNT)
			__atomic_store_n(&heap_way[i], heap_behind[i] != NULL ?
			    heap_behind[i] : way, __ATOMIC_RELEASE);
	}
}

void
heap_lead(void)
{
	lead(mon != NULL && config.blocks && !lineage_is(LINEAGE_NO_HEAP));
}

bool
heap_begin(void)
{
	if (config.maps)
		map_begin();
	if (!config.blocks)
		return true;
	if (!heap_is_reached())
		return false;
	if (heap_real[HEAP_malloc] != NULL)
		lead(true);
	return true;
}
