/*
 * Context: S.  Finds the header of the profile file, for all of the target, in
 * any thread and any signal handler.
 */
#include "base/store_header.h"

#include "base/state.h"

STATE_START struct format_header *
store_header(void)
{
	if (atomic_load_explicit(&mon->store.state, memory_order_acquire) !=
	    STORE_READY)
		return NULL;
	return (struct format_header *)mon->store.base;
}
