/*
 * Context: T.  Hooks of signal masks: where the program blocks the tick's
 * signal, that is not blocked in the kernel, and is shown as if it were.
 */
#include "hook.h"
#include "base/thread_clock.h"
#include "signal/sigmask.h"
#include "signal/wait_set.h"

MON_EXPORT int
sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	real_begin();
	return hook_return(sigmask_change(how, set, old));
}

MON_EXPORT int
pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	real_begin();
	return -sigmask_change(how, set, old);
}

static bool
is_valid_signal(int sig)
{
	return sig > 0 && sig < 65 && (SYS_SIGBIT(sig) & SIGMASK_LIBC) == 0;
}

static int
change_one_signal(int how, int sig)
{
	sigset_t one;

	if (!is_valid_signal(sig))
		return hook_return(-EINVAL);
	sigmask_set(&one, SYS_SIGBIT(sig));
	return hook_return(sigmask_change(how, &one, NULL));
}

MON_EXPORT int
sighold(int sig)
{
	return change_one_signal(SIG_BLOCK, sig);
}

MON_EXPORT int
sigrelse(int sig)
{
	return change_one_signal(SIG_UNBLOCK, sig);
}

/* Changes the mask as 4.2BSD does: an int holds the first 32 signals. */
static int
change_bsd_mask(int how, int mask)
{
	sigset_t set, before;

	sigmask_set(&set, (unsigned)mask);
	if (sigmask_change(how, &set, &before) != 0)
		return -1;
	return (int)(unsigned)sigmask_bits_of(&before);
}

MON_EXPORT int
sigblock(int mask)
{
	real_begin();
	return change_bsd_mask(SIG_BLOCK, mask);
}

MON_EXPORT int
sigsetmask(int mask)
{
	real_begin();
	return change_bsd_mask(SIG_SETMASK, mask);
}

MON_EXPORT int
siggetmask(void)
{
	real_begin();
	return change_bsd_mask(SIG_BLOCK, 0);
}

MON_EXPORT int
sigpending(sigset_t *set)
{
	real_begin();
	return hook_return(sigmask_pending(set));
}

/* The symbol sigpause is 4.2BSD's call: it waits under a mask. */
MON_EXPORT int hook_sigpause(int mask) __asm__("sigpause");

int
hook_sigpause(int mask)
{
	sigset_t set, stripped;

	real_begin();
	thread_clock_check_sleep();
	sigmask_set(&set, (unsigned)mask);
	return real.sigsuspend(wait_set_for_mask(&set, &stripped));
}

/* In C the name means X/Open's function, whose symbol is __xpg_sigpause. */
MON_EXPORT int
sigpause(int sig)
{
	sigset_t set, stripped;

	if (!is_valid_signal(sig))
		return hook_return(-EINVAL);
	if (sigprocmask(SIG_BLOCK, NULL, &set) != 0)
		return -1;
	*sigmask_bits(&set) &= ~SYS_SIGBIT(sig);
	thread_clock_check_sleep();
	return real.sigsuspend(wait_set_for_mask(&set, &stripped));
}
