/*
 * Context: T.  prctl(2) and syscall(2): calls after which no system call of ours
 * may be made, and system calls that would bypass a hook.
 */
#include "ahead.h"
#include "hook.h"
#include "image.h"
#include "monitor.h"
#include "sandbox.h"
#include "seal.h"
#include "start.h"
#include "view.h"

#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define HOOK_CLONE3	435	/* clone3, Linux 5.3 */
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH	59	/* Linux 5.11 */
#define PR_SYS_DISPATCH_OFF	0
#endif
#define HOOK_LANDLOCK	446	/* landlock_restrict_self, Linux 5.13 */

/* A filter that is NULL only asks whether there are filters: EFAULT is yes. */
static bool
enter(bool strict, const void *filter)
{
	if (!strict && filter == NULL)
		return false;
	hook_fatal_forget();
	return sandbox_enter(strict ? NULL : filter);
}

/*
 * Prepares for a prctl(2) with these arguments.  Returns whether sandbox_done()
 * has to follow the program's call.
 */
static bool
enter_prctl(int option, unsigned long mode, const void *filter)
{
	if (option == PR_SET_SECCOMP && (mode == SECCOMP_MODE_STRICT ||
	    mode == SECCOMP_MODE_FILTER))
		return enter(mode == SECCOMP_MODE_STRICT, filter);
	if (option == PR_SET_SYSCALL_USER_DISPATCH &&
	    mode != PR_SYS_DISPATCH_OFF)
		return enter(false, &sandbox_nothing);
	return false;
}

MON_EXPORT int
prctl(int option, ...)
{
	unsigned long a[4];
	va_list ap;
	bool froze;
	unsigned i;
	int ret;

	va_start(ap, option);
	for (i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	real_begin();
	froze = enter_prctl(option, a[0], (void *)a[1]);
	ret = real.prctl(option, a[0], a[1], a[2], a[3]);
	if (froze)
		sandbox_done(ret != 0);
	return ret;
}

/* What the assembly jumps to for every number that is not looked at. */
long (*hook_real_syscall)(long, ...);

long hook_syscall(long nr, long a, long b, long c, long d, long e, long f);

static long
enter_seccomp(long a, long b, long c)
{
	bool froze = false;
	long ret;

	if (a == SECCOMP_SET_MODE_STRICT || a == SECCOMP_SET_MODE_FILTER)
		froze = enter(a == SECCOMP_SET_MODE_STRICT, (void *)c);
	ret = real.syscall(SYS_seccomp, a, b, c);
	/* A listener's descriptor is success; with TSYNC a thread id is not. */
	if (froze)
		sandbox_done(ret < 0 || (ret != 0 &&
		    (b & SECCOMP_FILTER_FLAG_NEW_LISTENER) == 0));
	return ret;
}

static long
raw_prctl(long a, long b, long c, long d, long e)
{
	bool froze = enter_prctl((int)a, (unsigned long)b, (void *)c);
	long ret = real.syscall(SYS_prctl, a, b, c, d, e);

	if (froze)
		sandbox_done(ret != 0);
	return ret;
}

/* Prepares for a call by its number; see hook_rights.c and hook_alone.c. */
static void
leave_files(long nr, long a, long b, long c)
{
	switch (nr) {
	case SYS_chroot:
	case SYS_pivot_root:
	case HOOK_LANDLOCK:
		ahead_of_root();
		break;
	case SYS_setuid:
	case SYS_setfsuid:
		ahead_of_user((uid_t)a);
		break;
	case SYS_setreuid:
	case SYS_setresuid:
		ahead_of_user((uid_t)b);
		break;
	case SYS_capset:
		ahead_of_capabilities();
		break;
#ifdef SYS_setrlimit
	case SYS_setrlimit:
		hook_before_limit(0, (int)a, (const void *)b);
		break;
#endif
	case SYS_prlimit64:
		hook_before_limit((pid_t)a, (int)b, (const void *)c);
		break;
	}
}

long
hook_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
	struct image image;
	long ret;
	int error;

	real_begin();
	hook_real_syscall = real.syscall;
	leave_files(nr, a, b, c);
	switch (nr) {
	case SYS_seccomp:
		return enter_seccomp(a, b, c);
	case SYS_prctl:
		return raw_prctl(a, b, c, d, e);
	case SYS_exit_group:
		if (start_active())
			seal_process(FORMAT_END__EXIT, (int)a);
		monitor_end();
		break;
	case SYS_exit:
		seal_thread((int)a);
		break;
	case SYS_unshare:
		return unshare((int)a);
	case SYS_setns:
		return setns((int)a, (int)b);
	case SYS_execve:
	case SYS_execveat:
		image_leave(&image);
		ret = real.syscall(nr, a, b, c, d, e, f);
		error = errno;
		image_return(&image);
		errno = error;
		return ret;
#ifdef SYS_fork
	case SYS_fork:
#endif
	case SYS_clone:
	case HOOK_CLONE3:	/* of a process with memory of its own */
		start_before_fork();
		ret = real.syscall(nr, a, b, c, d, e, f);
		if (ret == 0)
			start_child();
		else
			start_parent(ret > 0);
		return ret;
	case SYS_rt_sigaction:
		ret = real.syscall(nr, a, b, c, d, e, f);
		if (start_active())
			view_recheck();
		return ret;
	}
	return real.syscall(nr, a, b, c, d, e, f);
}
