/*
 * Context: T.  Hooks of unshare(2) and setns(2).  The kernel refuses some of
 * these calls to a process of several threads, of which the helper of
 * clock=wall is one; and the helper must not stay behind in an old namespace.
 */
#include "base/profiling.h"
#include "base/state.h"
#include "clock/wall_sampler.h"
#include "hook.h"
#include "life/precreate.h"

#include "base/loss_count.h"

#include <sched.h>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME	0x80
#endif
#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP	0x02000000
#endif

/*
 * The flags of unshare(2) that the kernel refuses to a process with several
 * threads.  CLONE_NEWUSER implies CLONE_THREAD.
 */
#define ONE_THREAD_UNSHARE \
	(CLONE_NEWUSER | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM)
#define ONE_THREAD_SETNS	(CLONE_NEWUSER | CLONE_NEWTIME)

/*
 * The namespaces that the calling thread alone enters: a helper that stays
 * behind would keep the old one alive, with its mounts and devices.
 */
#define NAMESPACES \
	(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | \
	CLONE_NEWCGROUP | CLONE_NEWUSER | CLONE_NEWTIME)

/* Returns whether there is a helper.  Only clock=wall has one. */
static bool
has_wall_helper(void)
{
	return profiling_is_active() && !profiling_is_frozen() &&
	    atomic_load(&mon->wall_tid) != 0;
}

/* Starts the helper again.  After a new pid namespace no thread can be made. */
static void
start_wall_helper(void)
{
	if (wall_sampler_start() != 0)
		loss_count(LOSS_SLEEP_READ, 1);
}

/*
 * Ends the helper if the call needs a process of one thread (alone).  Returns
 * whether it did.
 */
static bool
pause_wall_helper(bool alone)
{
	if (!alone || !has_wall_helper())
		return false;
	wall_sampler_abort();
	return true;
}

/*
 * Starts the helper again after the call, also if the thread has `moved` to
 * another namespace.  Returns ret, the call's result.  Keeps errno.
 */
static int
resume_wall_helper(bool paused, bool moved, int ret)
{
	const int error = errno;

	if (!paused && moved && ret == 0 && has_wall_helper()) {
		wall_sampler_abort();
		paused = true;
	}
	if (paused)
		start_wall_helper();
	errno = error;
	return ret;
}

MON_EXPORT int
unshare(int flags)
{
	bool paused;

	real_begin();
	if ((flags & (CLONE_NEWNS | CLONE_NEWUSER)) != 0)
		precreate_before_chroot();
	paused = pause_wall_helper((flags & ONE_THREAD_UNSHARE) != 0);
	return resume_wall_helper(paused, (flags & NAMESPACES) != 0,
	    REAL(unshare)(flags));
}

/* Type 0 stands for a namespace of any kind. */
MON_EXPORT int
setns(int fd, int type)
{
	const bool any = type == 0;
	bool paused;

	real_begin();
	if (any || (type & (CLONE_NEWNS | CLONE_NEWUSER)) != 0)
		precreate_before_chroot();
	paused = pause_wall_helper(any || (type & ONE_THREAD_SETNS) != 0);
	return resume_wall_helper(paused, any || (type & NAMESPACES) != 0,
	    REAL(setns)(fd, type));
}
