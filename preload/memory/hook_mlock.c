/*
 * Context: T.  Hooks mlockall(): the kernel makes all memory resident, locks it
 * and counts it against the program's limit, the memory of this library as
 * well.
 */
#include "base/mmap_unlock.h"
#include "base/profiling.h"
#include "hook.h"
#include "store/store.h"
#include "thread/private_fds.h"

#include <limits.h>
#include <sys/mman.h>

#define MLOCK_RESERVE	(1u << 20)	/* bytes; 20,000 nodes */

/* Argument of unlock_own_regions(): those of mmap_unlock_library(). */
struct unlock_own_regions {
	bool future;
	char scratch[PATH_MAX + 256];
};

static int
unlock_own_regions(void *arg)
{
	struct unlock_own_regions *u = arg;

	mmap_unlock_library(u->future, u->scratch, sizeof(u->scratch));
	return 0;
}

/*
 * Calls the real mlockall().  Before a call with MCL_CURRENT, shrinks the
 * profile's mapping to what is used and MLOCK_RESERVE; after any call that
 * succeeds, unlocks the memory of this library.
 */
MON_EXPORT int
mlockall(int flags)
{
	struct unlock_own_regions u;
	bool ours;
	int ret;

	real_begin();
	ours = profiling_is_active() && !profiling_is_frozen();
	if ((flags & MCL_CURRENT) != 0 && ours)
		store_shrink(MLOCK_RESERVE);
	ret = REAL(mlockall)(flags);
	if (ret == 0 && ours) {
		u.future = (flags & MCL_FUTURE) != 0;
		private_fds_run(unlock_own_regions, &u);
	}
	return ret;
}
