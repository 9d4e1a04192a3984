/*
 * Context: S.  Goes through the alloc_threads of all threads, for
 * live_control.c; see alloc_thread_list.h.  The other threads go on meanwhile.
 */
#include "heap/alloc_thread_list.h"

void
alloc_thread_list_switch(struct live_block_table *from,
    struct live_block_table *to)
{
	struct alloc_thread *l = atomic_load(&mon->alloc_threads);

	for (; l != NULL; l = l->next)
		if (__atomic_load_n(&l->blocks, __ATOMIC_RELAXED) == from &&
		    __atomic_load_n(&l->inside, __ATOMIC_RELAXED) == 0)
			__atomic_store_n(&l->blocks, to, __ATOMIC_RELEASE);
}

bool
alloc_thread_list_is_stale(uint32_t forgot_by)
{
	const struct alloc_thread *l = atomic_load(&mon->alloc_threads);

	for (; l != NULL; l = l->next)
		if (__atomic_load_n(&l->inside, __ATOMIC_RELAXED) != 0 &&
		    __atomic_load_n(&l->forgot_by, __ATOMIC_RELAXED) !=
		    forgot_by && alloc_thread_is_current(l))
			return true;
	return false;
}
