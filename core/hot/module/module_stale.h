/*
 * Context: S.  Says that the table of modules is out of date, or its marks of
 * watched modules.  Scans for threads, modules.c and module_filter.c call it.
 */
#ifndef MODULE_STALE_H
#define MODULE_STALE_H

#include "base/state.h"

/*
 * Makes the next modules_find() read the memory map again.  Any thread and any
 * signal handler may call it.
 */
static inline void
module_stale_mark(void)
{
	atomic_store_explicit(&mon->module_stale, true, memory_order_relaxed);
}

#endif
