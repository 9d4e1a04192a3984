/* Context: S.  Says that the table of modules is out of date. */
#ifndef MODULE_STALE_H
#define MODULE_STALE_H

#include "base/state.h"

/* Makes the next tick read the memory map again.  Any thread may call it. */
static inline void
module_stale_mark(void)
{
	atomic_store_explicit(&mon->module_stale, true, memory_order_relaxed);
}

#endif
