/*
 * Context: T.  Keeps the program's view of signal actions, for the start of a
 * process and for preload/signal/hook_sigaction.c; doc/design/signals.md.
 *
 * The action of the tick's signal in the kernel is libmon's; the action that
 * the program believes in is in `virtual_signals`.  The other signal is the one
 * that the ticks move to.  The file sigmask.c handles masks, signal_move.c the
 * move.
 */
#include "signal/sigaction.h"

#include "base/profiling.h"
#include "base/str.h"
#include "clock/tick.h"
#include "count/live_control.h"
#include "signal/sigmask.h"
#include "signal/signal_move.h"
#include "thread/signal_chain.h"
#include "thread/signal_stack.h"

#ifndef SA_RESTORER
#define SA_RESTORER	0x04000000
#endif

void arch_restorer(void);

/*
 * Fills *a with libmon's action: tick_handler(), with all but signals of memory
 * faults and the like blocked.
 */
static void
fill_tick_action(struct sys_sigaction *a)
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
	/* A handler of the program inside a tick could leave by longjmp. */
	a->mask = ~open;
}

/*
 * Returns whether the signal has a handler.  If the library starts late, code
 * that calls no hook may use the signal: libc's own profiler restores its
 * action without a call that a hook sees, and a tick kills then.
 */
static bool
has_foreign_handler(int sig)
{
	struct sys_sigaction now;

	return sys_sigaction(sig, NULL, &now) == 0 &&
	    now.handler != (void *)SIG_DFL && now.handler != (void *)SIG_IGN;
}

/* Chooses the tick's signal, config.signal if that is free, and the other. */
static void
choose_tick_signals(void)
{
	int sig = config.signal;

	if (has_foreign_handler(sig))
		sig = sig == SIGSTKFLT ? SIGPWR : SIGSTKFLT;
	atomic_store(&virtual_signals.signal, sig);
	atomic_store(&virtual_signals.other, sig == SIGSTKFLT ? SIGPWR :
	    SIGSTKFLT);
}

STATE_START void
sigaction_install(void)
{
	int sig;

	if (virtual_signals.installed)
		return;		/* a fork child: actions are inherited */
	if (atomic_load(&virtual_signals.signal) == 0)
		choose_tick_signals();
	fill_tick_action(&virtual_signals.real_tick);
	sig = atomic_load(&virtual_signals.signal);
	if (sys_sigaction(sig, &virtual_signals.real_tick,
	    &virtual_signals.tick) != 0)
		return;
	virtual_signals.installed = true;
	/*
	 * Also handles the other signal.  The kernel does not block that
	 * either, so one that is sent while the program blocks it must be kept
	 * by libmon.
	 */
	sig = atomic_load(&virtual_signals.other);
	if (sys_sigaction(sig, &virtual_signals.real_tick,
	    &virtual_signals.front) == 0)
		virtual_signals.fronted = sig;
}

bool
sigaction_is_virtual(int sig)
{
	if (!profiling_is_active())
		return false;
	return (virtual_signals.installed &&
	    sig == atomic_load(&virtual_signals.signal)) ||
	    (virtual_signals.fronted != 0 && sig == virtual_signals.fronted) ||
	    signal_chain_fault_action(sig) != NULL;
}

static void
to_kernel_action(struct sys_sigaction *k, const struct sigaction *a)
{
	k->handler = (void *)a->sa_handler;
	k->flags = (unsigned long)a->sa_flags;
	k->restorer = virtual_signals.real_tick.restorer;
	if (k->restorer != NULL)
		k->flags |= SA_RESTORER;
	k->mask = sigmask_bits_of(&a->sa_mask) &
	    ~(SYS_SIGBIT(SIGKILL) | SYS_SIGBIT(SIGSTOP));
}

static void
to_libc_action(struct sigaction *a, const struct sys_sigaction *k)
{
	mem_zero(a, sizeof(*a));
	a->sa_handler = (void (*)(int))k->handler;
	/* SA_RESTORER included, as libc shows it */
	a->sa_flags = (int)k->flags;
	*sigmask_bits(&a->sa_mask) = k->mask;
}

/* Returns where the program's action for sig is kept; sig is a virtual one. */
static struct sys_sigaction *
virtual_action(int sig)
{
	struct sys_sigaction *fault = signal_chain_fault_action(sig);

	return fault != NULL ? fault : sig == virtual_signals.fronted ?
	    &virtual_signals.front : &virtual_signals.tick;
}

/*
 * Sets the program's action in the kernel, for the signal that the ticks have
 * just left: it is like any other one from the move on.
 */
static int
set_native_action(int sig, const struct sigaction *act)
{
	struct sys_sigaction fresh;
	struct sigaction in;
	int ret;

	sigaction_translate_in(sig, act, &in);
	to_kernel_action(&fresh, &in);
	ret = sys_sigaction(sig, &fresh, NULL);
	if (ret == 0)
		sigaction_note_set(sig, act);
	return ret;
}

/*
 * Ignores the signal, which makes the kernel discard pending ones; there is no
 * other way.
 */
static void
discard_pending(int sig)
{
	const struct sys_sigaction none = {.handler = (void *)SIG_IGN};

	sys_sigaction(sig, &none, NULL);
}

/*
 * Notes that the program has a handler that runs on an alternate stack, and
 * tells tools.  Ticks are blocked in such a handler, as a stack of the program
 * may have room for it alone; the signal of a kick is not.  Handlers of memory
 * faults do not count: they hardly ever run, and all runtimes have them.
 */
static void
note_onstack_handler(int sig, const struct sigaction *act)
{
	const uint64_t faults = SYS_SIGBIT(SIGSEGV) | SYS_SIGBIT(SIGBUS) |
	    SYS_SIGBIT(SIGILL) | SYS_SIGBIT(SIGFPE) | SYS_SIGBIT(SIGTRAP) |
	    SYS_SIGBIT(SIGABRT);

	if ((act->sa_flags & SA_ONSTACK) == 0 || act->sa_handler == SIG_DFL ||
	    act->sa_handler == SIG_IGN || (faults & SYS_SIGBIT(sig)) != 0 ||
	    atomic_exchange(&virtual_signals.on_stack, true))
		return;
	live_control_publish_kick();
}

int
sigaction_set_virtual(int sig, const struct sigaction *act,
    struct sigaction *old)
{
	struct sys_sigaction fresh;

	if (old != NULL)
		to_libc_action(old, virtual_action(sig));
	if (act == NULL)
		return 0;
	to_kernel_action(&fresh, act);
	note_onstack_handler(sig, act);
	if (act->sa_handler != SIG_DFL)
		atomic_store(&virtual_signals.may_hold, true);
	if (act->sa_handler == SIG_IGN &&
	    sig != atomic_load(&virtual_signals.signal))
		discard_pending(sig);
	if (signal_chain_fault_action(sig) != NULL) {
		signal_chain_install_fault(sig, &fresh);
		return 0;
	}
	/*
	 * SIG_IGN is a use, too: children inherit it, so it must be set in the
	 * kernel.
	 */
	if (sig == atomic_load(&virtual_signals.signal) &&
	    !virtual_signals.moved && act->sa_handler != SIG_DFL) {
		signal_move_ticks();
		if (virtual_signals.moved && virtual_signals.fronted == 0)
			return set_native_action(sig, act);
	}
	*virtual_action(sig) = fresh;
	if (sig == virtual_signals.fronted)
		signal_chain_install_fronted();
	return 0;
}

struct sigaction_masks
sigaction_save_masks(void)
{
	struct sigaction_masks n;

	n.masked = atomic_load(&virtual_signals.masked);
	n.shadowed = atomic_load(&virtual_signals.shadowed);
	return n;
}

void
sigaction_translate_in(int sig, const struct sigaction *act,
    struct sigaction *real)
{
	struct signal_mask_program unused;
	struct sys_sigaction k;

	*real = *act;
	/* The other signal may be blocked in the kernel in a handler. */
	*sigmask_bits(&real->sa_mask) = signal_mask_real(sigmask_bits_of(
	    &act->sa_mask), &unused) |
	    (sigmask_bits_of(&act->sa_mask) & signal_mask_other());
	/*
	 * A tick must not nest on a stack whose size the program has chosen
	 * without counting on it.  The flag stays even if the only such stack
	 * is libmon's: Go's runtime asks by a raw call, takes that stack for
	 * its own and insists on running on it.
	 */
	if ((act->sa_flags & SA_ONSTACK) == 0)
		return;
	*sigmask_bits(&real->sa_mask) |= signal_mask_tick();
	atomic_store(&virtual_signals.may_hold, true);
	k = (struct sys_sigaction){.handler = (void *)real->sa_handler,
	    .flags = (unsigned long)real->sa_flags};
	signal_stack_wrap(sig, &k);
	real->sa_handler = (void (*)(int))k.handler;
	real->sa_flags = (int)k.flags;
}

void
sigaction_note_handler(int sig, sighandler_t handler)
{
	if (sig == SIGSEGV)
		atomic_store(&virtual_signals.segv_handler, (void *)handler);
}

void
sigaction_unwrap(int sig, struct sigaction *old)
{
	struct sys_sigaction k = {.handler = (void *)old->sa_handler,
	    .flags = (unsigned long)old->sa_flags};
	const struct sys_sigaction *program = signal_chain_program_action(sig,
	    &k);

	if (program != NULL) {
		to_libc_action(old, program);
		return;
	}
	signal_stack_unwrap(sig, &k);
	old->sa_handler = (void (*)(int))k.handler;
	old->sa_flags = (int)k.flags;
}

static void
note_mask_bit(_Atomic uint64_t *set, int sig, bool on)
{
	if (on)
		atomic_fetch_or(set, SYS_SIGBIT(sig));
	else
		atomic_fetch_and(set, ~SYS_SIGBIT(sig));
}

void
sigaction_note_set(int sig, const struct sigaction *act)
{
	uint64_t asked = sigmask_bits_of(&act->sa_mask);

	note_mask_bit(&virtual_signals.masked, sig,
	    (asked & signal_mask_tick()) != 0);
	note_mask_bit(&virtual_signals.shadowed, sig,
	    (asked & SIGNAL_MASK_SHADOW) != 0);
	note_onstack_handler(sig, act);
}

void
sigaction_translate_out(int sig, struct sigaction *old,
    const struct sigaction_masks *before)
{
	uint64_t bit = SYS_SIGBIT(sig);
	uint64_t *mask = sigmask_bits(&old->sa_mask);

	sigaction_unwrap(sig, old);
	*mask &= ~(signal_mask_tick() | (virtual_signals.moved ? 0 :
	    SIGNAL_MASK_SHADOW));
	if ((before->masked & bit) != 0)
		*mask |= signal_mask_tick();
	if ((before->shadowed & bit) != 0)
		*mask |= SIGNAL_MASK_SHADOW;
}

void
sigaction_forget(int sig)
{
	if (sig < 1 || sig > 64)
		return;
	note_mask_bit(&virtual_signals.masked, sig, false);
	note_mask_bit(&virtual_signals.shadowed, sig, false);
}
