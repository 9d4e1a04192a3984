/* Context: T.  Signal masks: T is taken out, and shown as if it were in. */
#include "hook.h"
#include "sigmask.h"

#include <string.h>

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

static int
hold_one(int how, int sig)
{
	sigset_t one;

	sigemptyset(&one);
	if (sigaddset(&one, sig) != 0)
		return -1;
	return hook_return(sigmask_change(how, &one, NULL));
}

MON_EXPORT int
sighold(int sig)
{
	return hold_one(SIG_BLOCK, sig);
}

MON_EXPORT int
sigrelse(int sig)
{
	return hold_one(SIG_UNBLOCK, sig);
}

/* 4.2BSD: an int of the first 32 signals. */
static int
old_mask(int how, int mask)
{
	sigset_t set, before;
	uint64_t first = (unsigned)mask;

	sigemptyset(&set);
	memcpy(&set, &first, sizeof first);
	if (sigmask_change(how, &set, &before) != 0)
		return -1;
	memcpy(&first, &before, sizeof first);
	return (int)(unsigned)first;
}

MON_EXPORT int
sigblock(int mask)
{
	real_begin();
	return old_mask(SIG_BLOCK, mask);
}

MON_EXPORT int
sigsetmask(int mask)
{
	real_begin();
	return old_mask(SIG_SETMASK, mask);
}

MON_EXPORT int
siggetmask(void)
{
	real_begin();
	return old_mask(SIG_BLOCK, 0);
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
	uint64_t first = (unsigned)mask;

	real_begin();
	sigemptyset(&set);
	memcpy(&set, &first, sizeof first);
	return real.sigsuspend(sigmask_wait(&set, &stripped));
}

/* In C the name means X/Open's, symbol __xpg_sigpause. */
MON_EXPORT int
sigpause(int sig)
{
	sigset_t set, stripped;

	if (sigprocmask(SIG_BLOCK, NULL, &set) != 0 ||
	    sigdelset(&set, sig) != 0)
		return -1;
	return real.sigsuspend(sigmask_wait(&set, &stripped));
}
