/*
 * Context: T.  dlclose may unmap text.  dlopen is left alone: libc looks at its
 * caller for RUNPATH and $ORIGIN, and a new object is found when a tick first
 * hits it.
 */
#include "hook.h"
#include "modules.h"
#include "start.h"
#include "state.h"

#include <dlfcn.h>

MON_EXPORT int
dlclose(void *handle)
{
	int ret;

	real_begin();
	if (!start_active())
		return REAL(dlclose)(handle);
	modules_unload();
	ret = REAL(dlclose)(handle);
	modules_unloaded();
	/* No call of what comes there next may count for what was there. */
	if (atomic_load(&mon->shards) != NULL)
		modules_refresh();
	return ret;
}
