/*
 * Context: S.  Visits the slots of all threads, for scans, the helper of
 * clock=wall, changes of all clocks, and the seal; see thread_slot_each.h.
 */
#include "thread/thread_slot_each.h"

#ifndef THREAD_SLOT_STEP
#define THREAD_SLOT_STEP	((void)0)	/* a test counts steps */
#endif

void
thread_slot_for_each(thread_slot_visit *visit, void *arg)
{
	unsigned i, j, n = atomic_load_explicit(&mon->chunks,
	    memory_order_acquire);

	for (i = 0; i < n; i++) {
		struct thread_slot *c = thread_slot_chunk(i);

		for (j = 0; j < THREAD_SLOT_CHUNK; j++) {
			THREAD_SLOT_STEP;
			if (atomic_load_explicit(&c[j].state,
			    memory_order_acquire) != THREAD_SLOT_FREE)
				visit(&c[j], arg);
		}
	}
}
