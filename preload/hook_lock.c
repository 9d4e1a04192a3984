/*
 * Context: T.  mlockall: the kernel makes all memory real, locks it and counts it
 * against the program's limit, also the library's.
 */
#include "aside.h"
#include "hook.h"
#include "region.h"
#include "start.h"
#include "store.h"

#include <limits.h>
#include <sys/mman.h>

#define AHEAD	(1u << 20)	/* 20,000 nodes */

struct unlock {
	bool future;
	char scratch[PATH_MAX + 256];
};

static int
unlock(void *arg)
{
	struct unlock *u = arg;

	region_unlock(u->future, u->scratch, sizeof u->scratch);
	return 0;
}

MON_EXPORT int
mlockall(int flags)
{
	struct unlock u;
	bool ours;
	int ret;

	real_begin();
	ours = start_active() && !start_boxed();
	if ((flags & MCL_CURRENT) != 0 && ours)
		store_shrink(AHEAD);
	ret = REAL(mlockall)(flags);
	if (ret == 0 && ours) {
		u.future = (flags & MCL_FUTURE) != 0;
		aside(unlock, &u);
	}
	return ret;
}
