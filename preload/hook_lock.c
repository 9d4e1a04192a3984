/* Context: T.  mlockall: most of the file's mapping is not there to be real. */
#include "hook.h"
#include "start.h"
#include "store.h"

#include <sys/mman.h>

#define AHEAD	(1u << 20)	/* 20,000 nodes */

MON_EXPORT int
mlockall(int flags)
{
	real_begin();
	if ((flags & MCL_CURRENT) != 0 && start_active() && !start_boxed())
		store_shrink(AHEAD);
	return REAL(mlockall)(flags);
}
