/*
 * Context: T.  New processes.  fork(3) itself needs no hook: a pthread_atfork
 * handler runs in its child, and in daemon's and forkpty's, which call it
 * inside libc.
 */
#include "children.h"
#include "hook.h"
#include "seal.h"
#include "sharer.h"
#include "start.h"
#include "state.h"
#include "sweep.h"
#include "wall.h"

#include <sched.h>
#include <stdarg.h>

MON_EXPORT pid_t _Fork(void);

MON_EXPORT pid_t
_Fork(void)
{
	pid_t pid;

	real_begin();
	if (real._Fork == NULL) {
		errno = ENOSYS;	/* glibc before 2.34 */
		return -1;
	}
	start_before_fork();
	pid = real._Fork();
	if (pid == 0)
		start_child();
	else
		start_parent();
	return pid;
}

/* Called by vfork's assembly, in the parent, before and after. */
void hook_vfork_enter(void);
void hook_vfork_leave(void);
int hook_vfork_failed(long error);

void
hook_vfork_enter(void)
{
	real_begin();
	start_take_order();
	children_count();
	atomic_fetch_add(&view.vforks, 1);
}

void
hook_vfork_leave(void)
{
	atomic_fetch_sub(&view.vforks, 1);
}

int
hook_vfork_failed(long error)
{
	hook_vfork_leave();
	errno = (int)-error;
	return -1;
}

struct clone_call {
	int (*fn)(void *);
	void *argument;
};

/*
 * Runs in a child with memory of its own, a process of which libmon was not
 * told.  libc ends its thread by exit(2) with what fn returns.
 */
static int
run_child(void *call)
{
	struct clone_call c = *(struct clone_call *)call;
	int status;

	start_child();
	status = c.fn(c.argument);
	seal_thread(status);
	return status;
}

/* Runs in another thread, which may not even have TLS of its own. */
static int
run_thread(void *call)
{
	struct clone_call c = *(struct clone_call *)call;
	int status = c.fn(c.argument);

	wall_note_end(status);
	return status;
}

/*
 * Prepares the thread's stack for run_thread(), which calls fn: the call is at
 * the top of the stack.  The helper of clock=wall may outlive a thread, and
 * then needs its status.
 */
static void *
note_status(void *stack, int (**fn)(void *), void **argument)
{
	struct clone_call *call;

	if (stack == NULL || *fn == NULL || !start_active() ||
	    atomic_load(&mon->wall_tid) == 0)
		return stack;
	call = (struct clone_call *)((uintptr_t)stack & ~(uintptr_t)15) - 1;
	*call = (struct clone_call){*fn, *argument};
	*fn = run_thread;
	*argument = call;
	return call;
}

MON_EXPORT int
clone(int (*fn)(void *), void *stack, int flags, void *argument, ...)
{
	struct clone_call call = {fn, argument};
	void *ptid, *tls, *ctid;
	bool shares = (flags & CLONE_VM) != 0;
	bool thread = (flags & CLONE_THREAD) != 0;
	va_list ap;
	int ret;

	real_begin();
	va_start(ap, argument);
	ptid = va_arg(ap, void *);
	tls = va_arg(ap, void *);
	ctid = va_arg(ap, void *);
	va_end(ap);
	if (!thread) {
		start_take_order();
		children_count();
	}
	if ((flags & CLONE_FILES) != 0 && !thread)
		atomic_store(&view.files_shared, true);
	if (!shares && fn != NULL)
		return REAL(clone)(run_child, stack, flags, &call, ptid, tls,
		    ctid);
	if (thread)
		stack = note_status(stack, &fn, &argument);
	/* Another process on our memory: hooks must look who they are. */
	if (shares && !thread) {
		atomic_fetch_add(&view.vforks, 1);
		if (fn != NULL && stack != NULL && start_active())
			stack = sharer_prepare(&fn, &argument, stack);
	}
	ret = REAL(clone)(fn, stack, flags, argument, ptid, tls, ctid);
	if (shares && !thread && ((flags & CLONE_VFORK) != 0 || ret < 0))
		atomic_fetch_sub(&view.vforks, 1);
	if (ret > 0 && thread && start_active() &&
	    !atomic_load(&mon->frozen))
		sweep_adopt(ret);
	return ret;
}
