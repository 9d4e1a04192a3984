/*
 * Context: T.  Hooks of prctl(2) and syscall(2): calls after which libmon may
 * make no system call, and system calls that would bypass a hook.  The stub of
 * syscall() in vfork_CPU.S calls hook_syscall() for the numbers that it lists.
 */
#include "base/profiling.h"
#include "base/user_memory.h"
#include "classic/monitor.h"
#include "hook.h"
#include "life/exec_image.h"
#include "life/precreate.h"
#include "life/process_fork.h"
#include "life/seccomp.h"
#include "life/seccomp_filter.h"
#include "seal/seal.h"
#include "signal/exec_signals.h"
#include "thread/signal_chain.h"

#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define HOOK_CLONE3	435	/* clone3, Linux 5.3 */
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH	59	/* Linux 5.11 */
#define PR_SYS_DISPATCH_OFF	0
#endif
#define HOOK_LANDLOCK	446	/* landlock_restrict_self, Linux 5.13 */

/*
 * Freezes the process before a filter.  A filter of NULL only asks whether the
 * kernel has filters: EFAULT means that it does.
 */
static bool
freeze_by_filter(bool strict, const void *filter)
{
	if (!strict && filter == NULL)
		return false;
	hook_fatal_signal_remove();
	return seccomp_freeze(strict ? NULL : filter);
}

/*
 * Prepares for a prctl(2) with these arguments.  Returns whether
 * seccomp_freeze_end() has to follow the program's call.
 */
static bool
freeze_by_prctl(int option, unsigned long mode, const void *filter)
{
	if (option == PR_SET_SECCOMP && (mode == SECCOMP_MODE_STRICT ||
	    mode == SECCOMP_MODE_FILTER))
		return freeze_by_filter(mode == SECCOMP_MODE_STRICT, filter);
	if (option == PR_SET_SYSCALL_USER_DISPATCH &&
	    mode != PR_SYS_DISPATCH_OFF)
		return freeze_by_filter(false, &seccomp_filter_deny_all);
	return false;
}

MON_EXPORT int
prctl(int option, ...)
{
	unsigned long a[4];
	va_list ap;
	bool froze;
	int ret;

	va_start(ap, option);
	for (unsigned i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	real_begin();
	froze = freeze_by_prctl(option, a[0], (void *)a[1]);
	ret = real.prctl(option, a[0], a[1], a[2], a[3]);
	if (froze)
		seccomp_freeze_end(ret != 0);
	return ret;
}

/*
 * libc's syscall(), to which the assembly jumps for every number that needs no
 * hook.  NULL until the first call of hook_syscall().
 */
long (*hook_real_syscall)(long, ...);

long hook_syscall(long nr, long a, long b, long c, long d, long e, long f);

/* Does what syscall(SYS_seccomp, a, b, c) does, and freezes the process. */
static long
call_seccomp(long a, long b, long c)
{
	bool froze = false;
	long ret;

	if (a == SECCOMP_SET_MODE_STRICT || a == SECCOMP_SET_MODE_FILTER)
		froze = freeze_by_filter(a == SECCOMP_SET_MODE_STRICT,
		    (void *)c);
	ret = real.syscall(SYS_seccomp, a, b, c);
	/*
	 * The descriptor of a listener is success; a thread id (TSYNC) is not.
	 */
	if (froze)
		seccomp_freeze_end(ret < 0 || (ret != 0 &&
		    (b & SECCOMP_FILTER_FLAG_NEW_LISTENER) == 0));
	return ret;
}

static long
call_prctl(long a, long b, long c, long d, long e)
{
	bool froze = freeze_by_prctl((int)a, (unsigned long)b, (void *)c);
	long ret = real.syscall(SYS_prctl, a, b, c, d, e);

	if (froze)
		seccomp_freeze_end(ret != 0);
	return ret;
}

/*
 * Prepares for a call by its number; see hook_credentials.c and hook_unshare.c.
 */
static void
precreate_by_number(long nr, long a, long b, long c)
{
	switch (nr) {
	case SYS_chroot:
	case SYS_pivot_root:
	case HOOK_LANDLOCK:
		precreate_before_chroot();
		break;
	case SYS_setuid:
	case SYS_setfsuid:
		precreate_before_setuid((uid_t)a);
		break;
	case SYS_setreuid:
	case SYS_setresuid:
		precreate_before_setuid((uid_t)b);
		break;
	case SYS_setgid:
	case SYS_setregid:
	case SYS_setresgid:
	case SYS_setfsgid:
	case SYS_setgroups:
		precreate_before_setgid();
		break;
	case SYS_capset:
		precreate_before_capset();
		break;
#ifdef SYS_setrlimit
	case SYS_setrlimit:
		hook_before_setrlimit(0, (int)a, (const void *)b);
		break;
#endif
	case SYS_prlimit64:
		hook_before_setrlimit((pid_t)a, (int)b, (const void *)c);
		break;
	}
}

/* CLONE_CLEAR_SIGHAND, which older headers do not have. */
#define CLEAR_SIGHAND	0x100000000ull

/*
 * Returns whether a call is clone3(2) of a child with memory of its own whose
 * handlers the kernel removes.  args, bytes: the first two arguments.
 */
static bool
clears_handlers(long nr, long args, long bytes)
{
	uint64_t flags;

	/* Behind a seccomp filter bad pointers are not found. */
	return nr == HOOK_CLONE3 && args != 0 && !profiling_is_frozen() &&
	    bytes >= (long)sizeof(flags) &&
	    user_memory_read(&flags, (const void *)args, sizeof(flags)) &&
	    (flags & (CLEAR_SIGHAND | CLONE_VM)) == CLEAR_SIGHAND;
}

/* Calls fork(2), clone(2) or clone3(2) by its number. */
static long
call_fork(long nr, long a, long b, long c, long d, long e)
{
	const bool clears = clears_handlers(nr, a, b);
	long ret;

	process_fork_prepare();
	ret = real.syscall(nr, a, b, c, d, e, 0L);
	if (ret == 0 && clears)
		exec_signals_clear_child();
	if (ret == 0)
		process_fork_begin_child();
	else
		process_fork_finish(ret > 0);
	return ret;
}

/*
 * Does what syscall(nr, ...) does, with what the hook of that function would
 * do.  Returns as syscall(2): -1 with errno set on failure.
 */
long
hook_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
	struct exec_image image;
	long ret;
	int error;

	real_begin();
	hook_real_syscall = real.syscall;
	precreate_by_number(nr, a, b, c);
	switch (nr) {
	case SYS_seccomp:
		return call_seccomp(a, b, c);
	case SYS_prctl:
		return call_prctl(a, b, c, d, e);
	case SYS_exit_group:
		if (profiling_is_active())
			seal_process(FORMAT_END__EXIT, (int)a);
		monitor_end();
		break;
	case SYS_exit:
		seal_thread((int)a);
		break;
	case SYS_unshare:
		/* The kernel refuses flags that an int does not hold. */
		if ((unsigned long)a == (unsigned)a)
			return unshare((int)a);
		break;
	case SYS_setns:
		return setns((int)a, (int)b);
	case SYS_execve:
	case SYS_execveat:
		exec_image_prepare(&image);
		ret = real.syscall(nr, a, b, c, d, e, f);
		error = errno;
		exec_image_undo(&image);
		errno = error;
		return ret;
#ifdef SYS_fork
	case SYS_fork:
#endif
	case SYS_clone:
	case HOOK_CLONE3:	/* for a child with memory of its own */
		return call_fork(nr, a, b, c, d, e);
	case SYS_sigaltstack:
		return sigaltstack((const stack_t *)a, (stack_t *)b);
	case SYS_rt_sigaction:
		ret = real.syscall(nr, a, b, c, d, e, f);
		if (profiling_is_active() && !profiling_is_frozen())
			signal_chain_recheck();
		return ret;
	}
	return real.syscall(nr, a, b, c, d, e, f);
}
