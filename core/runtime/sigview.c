/*
 * Context: T.  The program's view of signals; doc/internals.md, section 8.
 *
 * T is the tick's signal.  Its real action is ours; what the program thinks
 * that it is, is in `view`.  Masks are sigmask.c's.
 */
#include "sigview.h"

#include "coarse.h"
#include "fine.h"
#include "sigmask.h"
#include "slot.h"
#include "start.h"
#include "str.h"
#include "tick.h"
#include "view.h"

#ifndef SA_RESTORER
#define SA_RESTORER	0x04000000
#endif

void arch_restorer(void);

static bool
in_child(void)
{
	return !start_active();
}

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

void
sigview_install(void)
{
	int sig = atomic_load(&view.signal);

	if (view.installed)
		return;		/* a fork child: actions are inherited */
	if (sig == 0) {
		sig = config.signal;
		atomic_store(&view.signal, sig);
		atomic_store(&view.other, sig == SIGSTKFLT ? SIGPWR :
		    SIGSTKFLT);
	}
	fill_real_action(&view.real_tick);
	if (sys_sigaction(sig, &view.real_tick, &view.tick) != 0)
		return;
	view.installed = true;
	/* A is never really blocked either: one sent meanwhile must wait. */
	sig = atomic_load(&view.other);
	if (sys_sigaction(sig, &view.real_tick, &view.front) == 0)
		view.fronted = sig;
}

void
sigview_drain(void)
{
	struct timespec none = {0, 0};
	sys_sigset set = mask_tick();
	siginfo_t si;
	long sig;

	for (;;) {
		sig = SYS(rt_sigtimedwait, &set, &si, &none, 8, 0, 0);
		if (sig == -EINTR)
			continue;
		if (sig <= 0)
			return;
		if (tick_claim(&si, (uintptr_t)__builtin_return_address(0)))
			continue;
		view_queue_again((int)sig, &si, false);
		return;
	}
}

static void
rearm(struct slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) != SLOT_LIVE)
		return;
	coarse_stop(s);
	if (s->fine == FORMAT_FINE_ON)	/* not our own, which is off */
		atomic_store(&s->renew, true);
	if (!s->stack_small)
		coarse_arm(s);
}

void
sigview_install_front(void)
{
	struct sys_sigaction act = view.real_tick;

	if (view.front.handler != (void *)SIG_DFL &&
	    view.front.handler != (void *)SIG_IGN &&
	    (view.front.flags & SA_RESTART) == 0)
		act.flags &= ~(unsigned long)SA_RESTART;
	sys_sigaction(view.fronted, &act, NULL);
}

/* sa_masks set before the move: T is really in them now, A is not. */
static void
convert_actions(uint64_t from, uint64_t to)
{
	uint64_t masked = atomic_load(&view.masked), now = 0;
	uint64_t shadowed = atomic_load(&view.shadowed);
	struct sys_sigaction act;
	int sig;

	for (sig = 1; sig <= 64; sig++) {
		uint64_t bit = SYS_SIGBIT(sig);

		if (bit == from || bit == to ||
		    sys_sigaction(sig, NULL, &act) != 0 ||
		    (act.handler == (void *)SIG_DFL && act.mask == 0))
			continue;
		if ((act.mask & to) != 0)
			now |= bit;
		act.mask &= ~(to | ((shadowed & bit) == 0 ? MASK_SHADOW : 0));
		if ((masked & bit) != 0)
			act.mask |= from;
		if ((act.flags & SA_ONSTACK) != 0)
			act.mask |= to;
		sys_sigaction(sig, &act, NULL);
	}
	atomic_store(&view.masked, now);
}

static void
yield_process_timer(void)
{
	if (!mon->process_tier)
		return;
	coarse_stop_process();
	loss_count(LOSS_YIELDED, 1);
}

/*
 * T is blocked here.  A tick that came behind the first look would be pending
 * when T is the program's, and kill it where that has no handler.
 */
static void
stop_own_clocks(void)
{
	struct slot *s = slot_self;

	sigview_drain();
	if (s == NULL || !slot_valid(s))
		return;
	coarse_stop(s);
	fine_stop(s, FORMAT_FINE_NEVER);
	sigview_drain();
}

/* Give T back to the program: our ticks come by another signal from now on. */
static void
move(void)
{
	int from = atomic_load(&view.signal), to = atomic_load(&view.other);
	uint64_t bit = SYS_SIGBIT(from), seen, before;
	struct sys_sigaction programs = view.tick;

	if (view.moved || view.fronted != to || atomic_load(&mon->frozen) ||
	    atomic_exchange(&view.moving, true))
		return;
	yield_process_timer();	/* it sends no other signal */
	sys_sigaction(to, &view.real_tick, NULL);
	sys_sigprocmask(SIG_BLOCK, &bit, &before);
	seen = mask_seen(before);
	stop_own_clocks();
	view.tick = view.front;
	atomic_store(&view.other, from);
	atomic_store(&view.signal, to);
	view.moved = true;
	slot_each(rearm, NULL);
	if (atomic_load(&mon->live) > 1) {
		/* Fine clocks of other threads still send it for a tick. */
		view.front = programs;
		view.fronted = from;
		sigview_install_front();
	} else {
		view.fronted = 0;
		sys_sigaction(from, &programs, NULL);
	}
	convert_actions(bit, SYS_SIGBIT(to));
	before = mask_real(seen, &mask_asked);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

void
sigview_use(int sig)
{
	/* The shadow is the program's again after a move. */
	if (view.installed && !view.moved && (sig == MASK_SHADOW_SIGNAL ||
	    sig == atomic_load(&view.signal)) && !in_child())
		move();
}

void
sigview_use_set(const sigset_t *set)
{
	if (set != NULL && view.installed && !view.moved &&
	    (sigmask_bits_of(set) & mask_tick()) != 0 && !in_child())
		move();
}

bool
sigview_owns(int sig)
{
	if (in_child())
		return false;
	return (view.installed && sig == atomic_load(&view.signal)) ||
	    (view.fronted != 0 && sig == view.fronted) ||
	    (view.bus_installed && sig == SIGBUS);
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
	return sig == SIGBUS && view.bus_installed ? &view.bus :
	    sig == view.fronted ? &view.front : &view.tick;
}

/* As any other signal, from the move on. */
static int
set_native(int sig, const struct sigaction *act)
{
	struct sys_sigaction fresh;
	struct sigaction in;
	int ret;

	sigview_action_in(act, &in);
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

int
sigview_own_action(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct sys_sigaction fresh;

	if (old != NULL)
		to_libc(old, own(sig));
	if (act == NULL)
		return 0;
	to_kernel(&fresh, act);
	if (act->sa_handler == SIG_IGN && sig != atomic_load(&view.signal))
		discard(sig);
	if (sig == SIGBUS && view.bus_installed) {
		view_install_bus(&fresh);
		return 0;
	}
	/* Ignored is a use too: children inherit it, so it must be real. */
	if (sig == atomic_load(&view.signal) && !view.moved &&
	    act->sa_handler != SIG_DFL) {
		move();
		if (view.moved && view.fronted == 0)
			return set_native(sig, act);
	}
	*own(sig) = fresh;
	if (sig == view.fronted)
		sigview_install_front();
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
sigview_action_in(const struct sigaction *act, struct sigaction *real)
{
	struct mask_asked unused;

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
	if ((act->sa_flags & SA_ONSTACK) != 0)
		*sigmask_bits(&real->sa_mask) |= mask_tick();
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
}

void
sigview_action_out(int sig, struct sigaction *old,
    const struct sigview_noted *before)
{
	uint64_t bit = SYS_SIGBIT(sig);
	uint64_t *mask = sigmask_bits(&old->sa_mask);

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

void
sigview_program_takes_itimer(void)
{
	if (in_child())
		return;
	yield_process_timer();
	sigview_use(SIGPROF);
}
