/*
 * Context: T.  Hooks of calls that make a process or a thread.  fork(3) itself
 * needs no hook: a pthread_atfork handler (life/process_fork.c) runs in its
 * child, and in that of daemon(3) and forkpty(3), which call it inside libc.
 * The stubs of vfork_CPU.S call the hook_vfork_ and hook_clone_ functions.
 */
#include "base/profiling.h"
#include "base/state.h"
#include "base/user_memory.h"
#include "classic/monitor.h"
#include "clock/wall_sampler.h"
#include "hook.h"
#include "life/clone_vm.h"
#include "life/precreate.h"
#include "life/process_fork.h"
#include "seal/seal.h"
#include "thread/thread_life.h"
#include "thread/thread_scan.h"

#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>

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
	process_fork_prepare();
	pid = real._Fork();
	if (pid == 0)
		process_fork_begin_child();
	else
		process_fork_finish(pid > 0);
	return pid;
}

/* The assembly of vfork calls these in the parent, before and after. */
void hook_vfork_enter(void);
void hook_vfork_leave(long child);
long hook_vfork_failed(long error);

void
hook_vfork_enter(void)
{
	real_begin();
	process_fork_take_order();
	atomic_fetch_add(&virtual_signals.vforks, 1);
}

void
hook_vfork_leave(long child)
{
	monitor_clear_frozen((int)child);
	atomic_fetch_sub(&virtual_signals.vforks, 1);
	process_fork_count_child();
}

long
hook_vfork_failed(long error)
{
	atomic_fetch_sub(&virtual_signals.vforks, 1);
	errno = (int)-error;
	return -1;
}

struct clone_call {
	int (*fn)(void *);
	void *argument;
};

/*
 * Runs in a child with memory of its own, for which no pthread_atfork handler
 * runs.  libc ends its thread by exit(2) with the result of fn.
 */
static int
run_clone_child(void *call)
{
	struct clone_call c = *(struct clone_call *)call;
	int status;

	process_fork_begin_child();
	status = c.fn(c.argument);
	seal_thread(status);
	return status;
}

/* Runs in another thread, which may not even have TLS of its own. */
static int
run_clone_thread(void *call)
{
	struct clone_call c = *(struct clone_call *)call;
	int status = c.fn(c.argument);

	wall_sampler_thread_exit(status);
	return status;
}

/*
 * Prepares the thread's stack for run_clone_thread(), which calls fn: puts the
 * call at the top of the stack.  The helper of clock=wall may outlive the
 * thread, and then needs its status.
 */
static void *
wrap_clone_thread(void *stack, int (**fn)(void *), void **argument)
{
	struct clone_call *call;

	if (stack == NULL || *fn == NULL || !profiling_is_active() ||
	    atomic_load(&mon->wall_tid) == 0)
		return stack;
	call = (struct clone_call *)((uintptr_t)stack & ~(uintptr_t)15) - 1;
	*call = (struct clone_call){*fn, *argument};
	*fn = run_clone_thread;
	*argument = call;
	return call;
}

/* Gives a thread that the program has made by clone(2) a slot and a clock. */
static void
attach_new_thread(int tid)
{
	struct thread_slot *s = thread_scan_take(tid);

	if (s == NULL)
		return;
	thread_life_set_new(s);
	thread_scan_attach(s);
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
	if (!thread)
		process_fork_take_order();
	if ((flags & (CLONE_NEWNS | CLONE_NEWUSER)) != 0)
		precreate_before_chroot();
	if ((flags & CLONE_FILES) != 0 && !thread)
		atomic_store(&virtual_signals.files_shared, true);
	if (!shares && fn != NULL) {
		ret = REAL(clone)(run_clone_child, stack, flags, &call, ptid,
		    tls, ctid);
		if (ret > 0 && !thread)
			process_fork_count_child();
		return ret;
	}
	if (thread)
		stack = wrap_clone_thread(stack, &fn, &argument);
	/*
	 * Another process in this memory: hooks must check which process calls
	 * them.
	 */
	if (shares && !thread) {
		atomic_fetch_add(&virtual_signals.vforks, 1);
		if (fn != NULL && stack != NULL && profiling_is_active())
			stack = clone_vm_prepare(&fn, &argument, stack);
	}
	ret = REAL(clone)(fn, stack, flags, argument, ptid, tls, ctid);
	if (shares && !thread && ((flags & CLONE_VFORK) != 0 || ret < 0)) {
		monitor_clear_frozen(ret);
		atomic_fetch_sub(&virtual_signals.vforks, 1);
	}
	if (ret > 0 && !thread)
		process_fork_count_child();
	if (ret > 0 && thread && profiling_is_active() &&
	    !atomic_load(&mon->frozen))
		attach_new_thread(ret);
	return ret;
}

/* A flag that hook_clone_enter() returns beside the flags of the call. */
#define OWN_STACK	((uint64_t)1 << 63)

/* The assembly of syscall() calls these around clone(2) and clone3(2). */
uint64_t hook_clone_enter(long nr, long a, long b);
long hook_clone_leave(uint64_t told, long ret);

/*
 * Returns the flags of the call, with OWN_STACK for a child on a stack of its
 * own; 0 if the kernel will not be able to read them.
 */
static uint64_t
clone_flags_of(long nr, long a, long b)
{
	struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal;
		uint64_t stack;
	} call;

	if (nr == SYS_clone)
		return (uint32_t)a | (b != 0 ? OWN_STACK : 0);
	if ((unsigned long)b < sizeof(call) ||
	    !user_memory_read(&call, (const void *)a, sizeof(call)))
		return 0;
	return (call.flags & ~OWN_STACK) |
	    (call.stack != 0 ? OWN_STACK : 0);
}

/* Returns whether the call makes another process in this memory. */
static bool
shares_memory(uint64_t flags)
{
	return (flags & (CLONE_VM | CLONE_THREAD)) == CLONE_VM;
}

uint64_t
hook_clone_enter(long nr, long a, long b)
{
	const uint64_t told = clone_flags_of(nr, a, b);

	real_begin();
	if ((told & CLONE_THREAD) == 0)
		process_fork_take_order();
	if ((told & (CLONE_NEWNS | CLONE_NEWUSER)) != 0)
		precreate_before_chroot();
	if ((told & (CLONE_FILES | CLONE_THREAD)) == CLONE_FILES)
		atomic_store(&virtual_signals.files_shared, true);
	if (shares_memory(told))
		atomic_fetch_add(&virtual_signals.vforks, 1);
	return told;
}

/*
 * Called in the parent, with the result of hook_clone_enter() and that of the
 * kernel.  Returns the result of syscall(2).  While a child may run in this
 * memory, hooks compare their pid.
 */
long
hook_clone_leave(uint64_t told, long ret)
{
	if (shares_memory(told) && (ret < 0 || (told & CLONE_VFORK) != 0)) {
		monitor_clear_frozen((int)ret);
		atomic_fetch_sub(&virtual_signals.vforks, 1);
	}
	if (ret > 0 && (told & CLONE_THREAD) == 0)
		process_fork_count_child();
	if (ret >= 0)
		return ret;
	errno = (int)-ret;
	return -1;
}
