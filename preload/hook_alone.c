/* Context: T.  Calls for a process of one thread: our helper is another. */
#include "ahead.h"
#include "hook.h"
#include "start.h"
#include "state.h"
#include "wall.h"

#include <sched.h>

/* Nothing to stop, most often: there is a helper with clock=wall only. */
static bool
stop_helper(void)
{
	if (!start_active() || start_boxed() ||
	    atomic_load(&mon->wall_tid) == 0)
		return false;
	wall_stop();
	return true;
}

/* Behind a new pid namespace no thread can be made any more. */
static void
start_helper(void)
{
	if (wall_start() != 0)
		loss_count(LOSS_SLEEP_READ, 1);
}

#define ALONE(call) do {						\
	bool helped;							\
	int ret;							\
									\
	real_begin();							\
	helped = stop_helper();						\
	ret = (call);							\
	if (helped)							\
		start_helper();						\
	return ret;							\
} while (0)

MON_EXPORT int
unshare(int flags)
{
	real_begin();
	if ((flags & (CLONE_NEWNS | CLONE_NEWUSER)) != 0)
		ahead_of_root();
	ALONE(REAL(unshare)(flags));
}

MON_EXPORT int
setns(int fd, int type)
{
	real_begin();
	if (type == 0 || (type & (CLONE_NEWNS | CLONE_NEWUSER)) != 0)
		ahead_of_root();
	ALONE(REAL(setns)(fd, type));
}
