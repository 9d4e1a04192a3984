/*
 * Context: T.  The program's view of signals; doc/internals.md, section 8.
 *
 * T is the tick's signal.  Its real action is ours and it is never really blocked; what the
 * program thinks of it is in `view` (actions) and `view_hidden` (the thread's mask).
 */
#include "sigview.h"

#include "clock.h"
#include "slot.h"
#include "start.h"
#include "str.h"
#include "tick.h"
#include "view.h"

#ifndef SA_RESTORER
#define SA_RESTORER	0x04000000
#endif

void arch_restorer(void);

static uint64_t
tick_bit(void)
{
	return SYS_SIGBIT(atomic_load_explicit(&view.signal,
	    memory_order_relaxed));
}

/* The kernel's 64 bits are the first word of libc's set, on 64-bit machines. */
static uint64_t *
bits(sigset_t *set)
{
	return (uint64_t *)set;
}

static uint64_t
bits_of(const sigset_t *set)
{
	return *(const uint64_t *)set;
}

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
	/* A program's handler that ran inside a tick could leave it by longjmp. */
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
	}
	fill_real_action(&view.real_tick);
	if (sys_sigaction(sig, &view.real_tick, &view.tick) == 0)
		view.installed = true;
}

void
sigview_leave_child(void)
{
	struct sigview_exposed e;

	sigview_expose(&e);
	if (view.installed)
		sys_sigaction(atomic_load(&view.signal), &view.tick, NULL);
	if (view.fronted != 0)
		sys_sigaction(view.fronted, &view.front, NULL);
	view.installed = false;
	view_hidden = 0;
}

void
sigview_enter_thread(uint64_t inherited)
{
	sys_sigset now, open = tick_bit();

	view_hidden = inherited & open;
	if (sys_sigprocmask(SIG_UNBLOCK, &open, &now) == 0 && (now & open) != 0)
		view_hidden |= open;
}

/* Threads that moved away from a signal block it really as they come by. */
static void
settle(void)
{
	uint64_t stale = view_hidden & ~tick_bit();

	if (stale == 0)
		return;
	sys_sigprocmask(SIG_BLOCK, &stale, NULL);
	view_hidden &= ~stale;
}

/* A vfork child has the parent's TLS and no clocks: all is really in force for it. */
static void
materialise_in_child(void)
{
	static __thread int done_for __attribute__((tls_model("initial-exec")));
	uint64_t hidden = view_hidden;
	int pid;

	if (hidden == 0)
		return;
	pid = sys_getpid();
	if (done_for == pid)
		return;
	done_for = pid;
	sys_sigprocmask(SIG_BLOCK, &hidden, NULL);
}

void
sigview_drain(void)
{
	struct timespec none = {0, 0};
	sys_sigset set = tick_bit();
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
		SYS(rt_tgsigqueueinfo, mon->pid, sys_gettid(), sig, &si, 0, 0);
		return;
	}
}

static void
rearm(struct slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) != SLOT_LIVE)
		return;
	clock_stop_coarse(s);
	if (s == slot_self)
		clock_stop_fine(s, FORMAT_FINE_NEVER);
	else if (s->fine == FORMAT_FINE_ON)
		atomic_store(&s->renew, true);
	if (!s->stack_small)
		clock_arm_coarse(s);
}

/* Give T back to the program: our ticks come by another signal from now on. */
static void
move(void)
{
	int from = atomic_load(&view.signal);
	int to = from == SIGSTKFLT ? SIGPROF : SIGSTKFLT;
	uint64_t bit = SYS_SIGBIT(from);
	struct sys_sigaction programs = view.tick, before;

	if (view.moved || atomic_load(&mon->frozen))
		return;
	if (sys_sigaction(to, &view.real_tick, &before) != 0)
		return;
	sys_sigprocmask(SIG_BLOCK, &bit, NULL);
	sigview_drain();
	view.moved = true;
	view.tick = before;
	atomic_store(&view.signal, to);
	slot_each(rearm, NULL);
	if (atomic_load(&mon->live) > 1) {
		/* Fine clocks of other threads still send it for a tick. */
		view.front = programs;
		view.fronted = from;
	} else {
		sys_sigaction(from, &programs, NULL);
	}
	if ((view_hidden & bit) == 0)
		sys_sigprocmask(SIG_UNBLOCK, &bit, NULL);
	sigview_enter_thread(0);
	view_hidden &= tick_bit();
}

void
sigview_use(int sig)
{
	if (view.installed && sig == atomic_load(&view.signal) && !in_child())
		move();
}

void
sigview_use_set(const sigset_t *set)
{
	if (set != NULL && view.installed && !view.moved &&
	    (bits_of(set) & tick_bit()) != 0 && !in_child())
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
	k->mask = bits_of(&a->sa_mask);
}

static void
to_libc(struct sigaction *a, const struct sys_sigaction *k)
{
	mem_zero(a, sizeof *a);
	a->sa_handler = (void (*)(int))k->handler;
	a->sa_flags = (int)(k->flags & ~(unsigned long)SA_RESTORER);
	*bits(&a->sa_mask) = k->mask;
}

static struct sys_sigaction *
own(int sig)
{
	return sig == SIGBUS && view.bus_installed ? &view.bus :
	    sig == view.fronted ? &view.front : &view.tick;
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
	if (sig == SIGBUS && view.bus_installed) {
		view_install_bus(&fresh);
		return 0;
	}
	if (sig == atomic_load(&view.signal) && !view.moved &&
	    act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN) {
		move();
		if (view.moved && view.fronted == 0)
			return sys_sigaction(sig, &fresh, NULL);
	}
	*own(sig) = fresh;
	return 0;
}

void
sigview_action_in(int sig, const struct sigaction *act, struct sigaction *real)
{
	uint64_t bit = SYS_SIGBIT(sig);

	*real = *act;
	if ((bits_of(&act->sa_mask) & tick_bit()) != 0)
		atomic_fetch_or(&view.masked, bit);
	else
		atomic_fetch_and(&view.masked, ~bit);
	*bits(&real->sa_mask) &= ~tick_bit();
	atomic_fetch_and(&view.onstack, ~bit);
	if ((act->sa_flags & SA_ONSTACK) == 0)
		return;
	if (!atomic_load(&view.has_altstack)) {
		/* The only alternate stack is ours: not meant. */
		real->sa_flags &= ~SA_ONSTACK;
		atomic_fetch_or(&view.onstack, bit);
	}
	/* A tick must not nest on a stack that was measured without it. */
	*bits(&real->sa_mask) |= tick_bit();
}

void
sigview_action_out(int sig, struct sigaction *old, uint64_t masked,
    uint64_t onstack)
{
	uint64_t bit = SYS_SIGBIT(sig);

	*bits(&old->sa_mask) &= ~tick_bit();
	if ((masked & bit) != 0)
		*bits(&old->sa_mask) |= tick_bit();
	if ((onstack & bit) != 0)
		old->sa_flags |= SA_ONSTACK;
}

void
sigview_action_gone(int sig)
{
	if (sig < 1 || sig > 64)
		return;
	atomic_fetch_and(&view.masked, ~SYS_SIGBIT(sig));
	atomic_fetch_and(&view.onstack, ~SYS_SIGBIT(sig));
}

void
sigview_altstack_used(void)
{
	struct sys_sigaction act;
	uint64_t wanted;
	int sig;

	if (atomic_exchange(&view.has_altstack, true))
		return;
	wanted = atomic_exchange(&view.onstack, 0);
	for (sig = 1; sig <= 64; sig++) {
		if ((wanted & SYS_SIGBIT(sig)) == 0 ||
		    sys_sigaction(sig, NULL, &act) != 0)
			continue;
		act.flags |= SA_ONSTACK;
		sys_sigaction(sig, &act, NULL);
	}
}

int
sigview_mask(int how, const sigset_t *set, sigset_t *old)
{
	uint64_t bit = tick_bit(), asked = 0, hidden, real, before;
	int ret;

	if (in_child()) {
		materialise_in_child();
		bit = 0;	/* nothing is hidden in it */
	} else {
		settle();
	}
	hidden = bit == 0 ? 0 : view_hidden;
	if (set != NULL) {
		/* libc's own two signals cannot be blocked through it. */
		asked = bits_of(set) & ~(SYS_SIGBIT(32) | SYS_SIGBIT(33));
		real = how == SIG_UNBLOCK ? asked : asked & ~bit;
	}
	ret = sys_sigprocmask(how, set == NULL ? NULL : &real, &before);
	if (ret != 0)
		return ret;
	if (old != NULL) {
		mem_zero(old, sizeof *old);
		*bits(old) = before | hidden;
	}
	if (set == NULL || bit == 0)
		return 0;
	if (how == SIG_BLOCK)
		hidden |= asked & bit;
	else if (how == SIG_UNBLOCK)
		hidden &= ~(asked & bit);
	else
		hidden = asked & bit;
	view_hidden = hidden;
	return 0;
}

const sigset_t *
sigview_strip(const sigset_t *set, sigset_t *copy)
{
	if (set == NULL || !view.installed || in_child())
		return set;
	*copy = *set;
	*bits(copy) &= ~tick_bit();
	return copy;
}

void
sigview_expose(struct sigview_exposed *e)
{
	uint64_t hidden = view_hidden;
	struct sys_sigaction ignore = {.handler = (void *)SIG_IGN};

	e->active = view.installed;
	e->ignored = false;
	e->mask = 0;
	if (!e->active)
		return;
	sys_sigprocmask(SIG_BLOCK, hidden == 0 ? NULL : &hidden, &e->mask);
	/* An exec resets handlers, but keeps what is ignored. */
	if (view.tick.handler == (void *)SIG_IGN) {
		sys_sigaction(atomic_load(&view.signal), &ignore, NULL);
		e->ignored = true;
	}
	if (view.bus_installed && view.bus.handler == (void *)SIG_IGN)
		sys_sigaction(SIGBUS, &ignore, NULL);
}

void
sigview_conceal(const struct sigview_exposed *e)
{
	if (!e->active)
		return;
	if (e->ignored)
		sys_sigaction(atomic_load(&view.signal), &view.real_tick, NULL);
	if (view.bus_installed && view.bus.handler == (void *)SIG_IGN)
		view_install_bus(&view.bus);
	sys_sigprocmask(SIG_SETMASK, &e->mask, NULL);
}

bool
sigview_may_use_itimer(void)
{
	struct itimerval now;

	return SYS(getitimer, ITIMER_PROF, &now, 0, 0, 0, 0) == 0 &&
	    now.it_value.tv_sec == 0 && now.it_value.tv_usec == 0 &&
	    now.it_interval.tv_sec == 0 && now.it_interval.tv_usec == 0;
}

void
sigview_program_takes_itimer(void)
{
	if (in_child())
		return;
	if (mon->process_tier) {
		clock_stop_process();
		loss_count(LOSS_YIELDED, 1);
	}
	sigview_use(SIGPROF);
}
