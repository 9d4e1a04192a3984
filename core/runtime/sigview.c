/*
 * Context: T.  The program's view of signals; doc/internals.md, section 8.
 *
 * T is the tick's signal.  Its real action is ours; what the program thinks
 * that it is, is in `view`.  Masks are sigmask.c's, the move to another signal
 * is sigmove.c's.
 */
#include "sigview.h"

#include "control.h"
#include "onstack.h"
#include "sigmask.h"
#include "sigmove.h"
#include "start.h"
#include "str.h"
#include "tick.h"
#include "view.h"

#ifndef SA_RESTORER
#define SA_RESTORER	0x04000000
#endif

void arch_restorer(void);

static void
fill_real_action(struct sys_sigaction *a)
{
	const sys_sigset open = SYS_SIGBIT(SIGBUS) | SYS_SIGBIT(SIGSEGV) |
	    SYS_SIGBIT(SIGILL) | SYS_SIGBIT(SIGFPE) | SYS_SIGBIT(SIGTRAP);

	a->handler = (void *)tick_handler;
	a->flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	a->restorer = NULL;
#ifdef __x86_64__
	a->flags |= SA_RESTORER;
	a->restorer = (void *)arch_restorer;
#endif
	/* A program's handler inside a tick could leave by longjmp. */
	a->mask = ~open;
}

/*
 * Where we start late somebody may have it who tells us nothing: libc's own
 * profiler sets it back without a call that we see, and our tick then kills.
 */
static bool
has_handler(int sig)
{
	struct sys_sigaction now;

	return sys_sigaction(sig, NULL, &now) == 0 &&
	    now.handler != (void *)SIG_DFL && now.handler != (void *)SIG_IGN;
}

static void
choose_signals(void)
{
	int sig = config.signal;

	if (has_handler(sig))
		sig = sig == SIGSTKFLT ? SIGPWR : SIGSTKFLT;
	atomic_store(&view.signal, sig);
	atomic_store(&view.other, sig == SIGSTKFLT ? SIGPWR : SIGSTKFLT);
}

STATE_START void
sigview_install(void)
{
	int sig;

	if (view.installed)
		return;		/* a fork child: actions are inherited */
	if (atomic_load(&view.signal) == 0)
		choose_signals();
	fill_real_action(&view.real_tick);
	sig = atomic_load(&view.signal);
	if (sys_sigaction(sig, &view.real_tick, &view.tick) != 0)
		return;
	view.installed = true;
	/* A is never really blocked either: one sent meanwhile must wait. */
	sig = atomic_load(&view.other);
	if (sys_sigaction(sig, &view.real_tick, &view.front) == 0)
		view.fronted = sig;
}

bool
sigview_owns(int sig)
{
	if (!start_active())
		return false;
	return (view.installed && sig == atomic_load(&view.signal)) ||
	    (view.fronted != 0 && sig == view.fronted) ||
	    view_of_fault(sig) != NULL;
}

static void
to_kernel(struct sys_sigaction *k, const struct sigaction *a)
{
	k->handler = (void *)a->sa_handler;
	k->flags = (unsigned long)a->sa_flags;
	k->restorer = view.real_tick.restorer;
	if (k->restorer != NULL)
		k->flags |= SA_RESTORER;
	k->mask = sigmask_bits_of(&a->sa_mask) &
	    ~(SYS_SIGBIT(SIGKILL) | SYS_SIGBIT(SIGSTOP));
}

static void
to_libc(struct sigaction *a, const struct sys_sigaction *k)
{
	mem_zero(a, sizeof *a);
	a->sa_handler = (void (*)(int))k->handler;
	a->sa_flags = (int)k->flags;	/* SA_RESTORER too, as libc shows it */
	*sigmask_bits(&a->sa_mask) = k->mask;
}

static struct sys_sigaction *
own(int sig)
{
	struct sys_sigaction *fault = view_of_fault(sig);

	return fault != NULL ? fault :
	    sig == view.fronted ? &view.front : &view.tick;
}

/* As any other signal, from the move on. */
static int
set_native(int sig, const struct sigaction *act)
{
	struct sys_sigaction fresh;
	struct sigaction in;
	int ret;

	sigview_action_in(sig, act, &in);
	to_kernel(&fresh, &in);
	ret = sys_sigaction(sig, &fresh, NULL);
	if (ret == 0)
		sigview_action_done(sig, act);
	return ret;
}

/* What is pending is gone when it is ignored: the kernel knows only so. */
static void
discard(int sig)
{
	const struct sys_sigaction none = {.handler = (void *)SIG_IGN};

	sys_sigaction(sig, &none, NULL);
}

/*
 * Ticks are blocked in such a handler, as a stack of the program's may have
 * room for it alone; the signal of a kick is not.  Handlers of faults are left
 * aside: they hardly ever run, and runtimes have them all.
 */
static void
note_stack(int sig, const struct sigaction *act)
{
	const uint64_t faults = SYS_SIGBIT(SIGSEGV) | SYS_SIGBIT(SIGBUS) |
	    SYS_SIGBIT(SIGILL) | SYS_SIGBIT(SIGFPE) | SYS_SIGBIT(SIGTRAP) |
	    SYS_SIGBIT(SIGABRT);

	if ((act->sa_flags & SA_ONSTACK) == 0 || act->sa_handler == SIG_DFL ||
	    act->sa_handler == SIG_IGN || (faults & SYS_SIGBIT(sig)) != 0 ||
	    atomic_exchange(&view.on_stack, true))
		return;
	control_show_kick();
}

int
sigview_own_action(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct sys_sigaction fresh;

	if (old != NULL)
		to_libc(old, own(sig));
	if (act == NULL)
		return 0;
	to_kernel(&fresh, act);
	note_stack(sig, act);
	if (act->sa_handler != SIG_DFL)
		atomic_store(&view.may_hold, true);
	if (act->sa_handler == SIG_IGN && sig != atomic_load(&view.signal))
		discard(sig);
	if (view_of_fault(sig) != NULL) {
		view_install_fault(sig, &fresh);
		return 0;
	}
	/* Ignored is a use too: children inherit it, so it must be real. */
	if (sig == atomic_load(&view.signal) && !view.moved &&
	    act->sa_handler != SIG_DFL) {
		sigmove_now();
		if (view.moved && view.fronted == 0)
			return set_native(sig, act);
	}
	*own(sig) = fresh;
	if (sig == view.fronted)
		view_install_front();
	return 0;
}

struct sigview_noted
sigview_note(void)
{
	struct sigview_noted n;

	n.masked = atomic_load(&view.masked);
	n.shadowed = atomic_load(&view.shadowed);
	return n;
}

void
sigview_action_in(int sig, const struct sigaction *act, struct sigaction *real)
{
	struct mask_asked unused;
	struct sys_sigaction k;

	*real = *act;
	/* What is blocked while a handler runs may be the other of the pair. */
	*sigmask_bits(&real->sa_mask) = mask_real(sigmask_bits_of(
	    &act->sa_mask), &unused) |
	    (sigmask_bits_of(&act->sa_mask) & mask_other());
	/*
	 * A tick must not nest on a stack measured without it.  The flag stays
	 * even where the only such stack is ours: Go's runtime asks by a raw
	 * call, takes ours for its own and insists on being on it.
	 */
	if ((act->sa_flags & SA_ONSTACK) == 0)
		return;
	*sigmask_bits(&real->sa_mask) |= mask_tick();
	atomic_store(&view.may_hold, true);
	k = (struct sys_sigaction){.handler = (void *)real->sa_handler,
	    .flags = (unsigned long)real->sa_flags};
	onstack_wrap(sig, &k);
	real->sa_handler = (void (*)(int))k.handler;
	real->sa_flags = (int)k.flags;
}

void
sigview_handler_noted(int sig, sighandler_t handler)
{
	if (sig == SIGSEGV)
		atomic_store(&view.segv_handler, (void *)handler);
}

void
sigview_action_bare(int sig, struct sigaction *old)
{
	struct sys_sigaction k = {.handler = (void *)old->sa_handler,
	    .flags = (unsigned long)old->sa_flags};
	const struct sys_sigaction *program = view_behind(sig, &k);

	if (program != NULL) {
		to_libc(old, program);
		return;
	}
	onstack_unwrap(sig, &k);
	old->sa_handler = (void (*)(int))k.handler;
	old->sa_flags = (int)k.flags;
}

static void
note(_Atomic uint64_t *set, int sig, bool on)
{
	if (on)
		atomic_fetch_or(set, SYS_SIGBIT(sig));
	else
		atomic_fetch_and(set, ~SYS_SIGBIT(sig));
}

void
sigview_action_done(int sig, const struct sigaction *act)
{
	uint64_t asked = sigmask_bits_of(&act->sa_mask);

	note(&view.masked, sig, (asked & mask_tick()) != 0);
	note(&view.shadowed, sig, (asked & MASK_SHADOW) != 0);
	note_stack(sig, act);
}

void
sigview_action_out(int sig, struct sigaction *old,
    const struct sigview_noted *before)
{
	uint64_t bit = SYS_SIGBIT(sig);
	uint64_t *mask = sigmask_bits(&old->sa_mask);

	sigview_action_bare(sig, old);
	*mask &= ~(mask_tick() | (view.moved ? 0 : MASK_SHADOW));
	if ((before->masked & bit) != 0)
		*mask |= mask_tick();
	if ((before->shadowed & bit) != 0)
		*mask |= MASK_SHADOW;
}

void
sigview_action_gone(int sig)
{
	if (sig < 1 || sig > 64)
		return;
	note(&view.masked, sig, false);
	note(&view.shadowed, sig, false);
}

bool
sigview_may_use_itimer(void)
{
	struct itimerval now;

	/* It sends no other signal, and that one kills where it is not ours. */
	return atomic_load(&view.signal) == SIGPROF &&
	    SYS(getitimer, ITIMER_PROF, &now, 0, 0, 0, 0) == 0 &&
	    now.it_value.tv_sec == 0 && now.it_value.tv_usec == 0 &&
	    now.it_interval.tv_sec == 0 && now.it_interval.tv_usec == 0;
}
