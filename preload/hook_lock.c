/*
 * Context: T.  mlockall: the kernel makes all memory real, locks it and counts it
 * against the program's limit, also the library's.
 */
#include "hook.h"
#include "region.h"
#include "start.h"
#include "store.h"

#include <sys/mman.h>

#define AHEAD	(1u << 20)	/* 20,000 nodes */

MON_EXPORT int
mlockall(int flags)
{
	bool ours;
	int ret;

	real_begin();
	ours = start_active() && !start_boxed();
	if ((flags & MCL_CURRENT) != 0 && ours)
		store_shrink(AHEAD);
	ret = REAL(mlockall)(flags);
	if (ret == 0 && ours)
		region_unlock((flags & MCL_FUTURE) != 0);
	return ret;
}
