/*
 * Context: T.  Hooks of signal actions: libmon keeps the program's actions for
 * its own signals.
 */
#include "base/profiling.h"
#include "hook.h"
#include "signal/sigaction.h"
#include "signal/sigmask.h"
#include "signal/signal_move.h"

MON_EXPORT int __sigaction(int sig, const struct sigaction *act,
    struct sigaction *old);

/* Signals that libc keeps for itself: SIGCANCEL and SIGSETXID. */
#define LIBC_SIGNALS	2

/*
 * Returns whether libc refuses the number of a signal before it looks at the
 * action: it is none, or one of libc's own.
 */
static bool
is_refused_number(int sig)
{
	return sig < 1 || sig > 64 ||
	    (sig >= __SIGRTMIN && sig < __SIGRTMIN + LIBC_SIGNALS);
}

MON_EXPORT int
sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct sigaction_masks before;
	struct sigaction in;
	int ret;

	real_begin();
	if (!virtual_signals.installed || is_refused_number(sig) ||
	    !profiling_is_active()) {
		ret = real.sigaction(sig, act, old);
		/* in a vfork child: the parent's */
		if (ret == 0 && old != NULL)
			sigaction_unwrap(sig, old);
		return ret;
	}
	if (sigaction_is_virtual(sig))
		return hook_return(sigaction_set_virtual(sig, act, old));
	if (act != NULL && act->sa_handler != SIG_DFL &&
	    act->sa_handler != SIG_IGN)
		signal_move_if_used(sig);
	before = sigaction_save_masks();
	if (act != NULL) {
		sigaction_note_handler(sig, act->sa_handler);
		sigaction_translate_in(sig, act, &in);
	}
	ret = real.sigaction(sig, act == NULL ? NULL : &in, old);
	if (ret != 0)
		return ret;
	/* A tick has set the handler of memory faults meanwhile. */
	if (sigaction_is_virtual(sig))
		return hook_return(sigaction_set_virtual(sig, act, old));
	if (act != NULL)
		sigaction_note_set(sig, act);
	if (old != NULL)
		sigaction_translate_out(sig, old, &before);
	return ret;
}

MON_EXPORT int
__sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	return sigaction(sig, act, old);
}

/*
 * Does what signal(3) and the like do for a signal whose action libmon keeps
 * (sigaction_is_virtual()), by the hook of sigaction().
 */
static sighandler_t
set_virtual_handler(int sig, sighandler_t handler, int flags)
{
	struct sigaction act = { 0 }, old;

	act.sa_handler = handler;
	act.sa_flags = flags;
	if ((flags & SA_NODEFER) == 0)
		*sigmask_bits(&act.sa_mask) |= SYS_SIGBIT(sig);
	return sigaction(sig, &act, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/*
 * Returns the program's own handler in place of libmon's, which may have been
 * in the action before.  The action that libc has set has no SA_ONSTACK, so
 * libmon's is not put before it.
 */
static sighandler_t
unwrap_handler(int sig, sighandler_t handler)
{
	struct sigaction a = {.sa_handler = handler};

	sigaction_unwrap(sig, &a);
	return a.sa_handler;
}

/*
 * Sets the handler by libc's function `plain` or, if libmon keeps the action,
 * with `flags`.  Returns the former handler, or SIG_ERR.
 */
static sighandler_t
set_handler_by_libc(int sig, sighandler_t handler, int flags,
    sighandler_t (*plain)(int, sighandler_t))
{
	sighandler_t before;

	real_begin();
	if (virtual_signals.installed && sigaction_is_virtual(sig))
		return set_virtual_handler(sig, handler, flags);
	sigaction_forget(sig);
	sigaction_note_handler(sig, handler);
	before = unwrap_handler(sig, plain(sig, handler));
	/* A tick has set the handler of memory faults meanwhile. */
	return before != SIG_ERR && virtual_signals.installed &&
	    sigaction_is_virtual(sig) ? set_virtual_handler(sig, handler,
	    flags) : before;
}

MON_EXPORT sighandler_t
signal(int sig, sighandler_t handler)
{
	real_begin();
	return set_handler_by_libc(sig, handler, SA_RESTART, real.signal);
}

MON_EXPORT sighandler_t ssignal(int sig, sighandler_t handler);

MON_EXPORT sighandler_t
ssignal(int sig, sighandler_t handler)
{
	return signal(sig, handler);
}

MON_EXPORT sighandler_t bsd_signal(int sig, sighandler_t handler);

MON_EXPORT sighandler_t
bsd_signal(int sig, sighandler_t handler)
{
	real_begin();
	return set_handler_by_libc(sig, handler, SA_RESTART, REAL(bsd_signal));
}

MON_EXPORT sighandler_t
sysv_signal(int sig, sighandler_t handler)
{
	real_begin();
	return set_handler_by_libc(sig, handler,
	    (int)(SA_RESETHAND | SA_NODEFER), REAL(sysv_signal));
}

MON_EXPORT sighandler_t __sysv_signal(int sig, sighandler_t handler);

MON_EXPORT sighandler_t
__sysv_signal(int sig, sighandler_t handler)
{
	return sysv_signal(sig, handler);
}

MON_EXPORT int
siginterrupt(int sig, int interrupt)
{
	struct sigaction act;

	real_begin();
	if (!virtual_signals.installed || !sigaction_is_virtual(sig))
		return REAL(siginterrupt)(sig, interrupt);
	if (sigaction(sig, NULL, &act) != 0)
		return -1;
	if (interrupt)
		act.sa_flags &= ~SA_RESTART;
	else
		act.sa_flags |= SA_RESTART;
	return sigaction(sig, &act, NULL);
}

MON_EXPORT int
sigignore(int sig)
{
	struct sigaction act = { 0 };

	real_begin();
	act.sa_handler = SIG_IGN;
	if (virtual_signals.installed && sigaction_is_virtual(sig))
		return sigaction(sig, &act, NULL);
	sigaction_forget(sig);
	return REAL(sigignore)(sig);
}

/*
 * XSI: SIG_HOLD blocks the signal, any other value sets the handler and
 * unblocks.
 */
MON_EXPORT sighandler_t
sigset(int sig, sighandler_t handler)
{
	struct sigaction act = { 0 }, now;
	bool hold = handler == SIG_HOLD;
	sigset_t one, before;

	real_begin();
	if (!virtual_signals.installed || !sigaction_is_virtual(sig)) {
		sigaction_forget(sig);
		return unwrap_handler(sig, real.sigset(sig, handler));
	}
	/*
	 * A pending signal is delivered when it is unblocked: to the new
	 * handler.
	 */
	act.sa_handler = handler;
	sigmask_set(&one, SYS_SIGBIT(sig));
	if (sigaction(sig, hold ? NULL : &act, &now) != 0 ||
	    sigmask_change(hold ? SIG_BLOCK : SIG_UNBLOCK, &one, &before) != 0)
		return SIG_ERR;
	return (sigmask_bits_of(&before) & SYS_SIGBIT(sig)) != 0 ? SIG_HOLD :
	    now.sa_handler;
}
