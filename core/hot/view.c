/* Context: S.  The program's own view of the signals that are ours. */
#include "view.h"

#include "ancestor.h"
#include "frame.h"
#include "mask.h"
#include "onstack.h"
#include "slot.h"
#include "store.h"
#include "tick.h"
#include "walk.h"

#ifndef SA_RESTORER
#define SA_RESTORER	0x04000000
#endif

#define GUARD_NS	20000000u	/* Go's runtime began within 2 ms */

typedef void plain_handler(int);
typedef void info_handler(int, siginfo_t *, void *);

void
view_queue_again(int sig, siginfo_t *si, bool to_thread)
{
	int pid = sys_getpid();

	if (to_thread || si->si_code == SI_TKILL)
		SYS(rt_tgsigqueueinfo, pid, sys_gettid(), sig, si, 0, 0);
	else
		/*
		 * To the process; but only of itself may a thread claim this.
		 */
		SYS(rt_sigqueueinfo, sys_gettid(), sig, si, 0, 0, 0);
}

void
view_settle(const struct slot *s, ucontext_t *uc)
{
	sys_sigset *mask = (sys_sigset *)&uc->uc_sigmask;

	if (view.moved && s->native && !mask_own.asked.settled)
		*mask = mask_settle(*mask);
}

/* The default action is to die of the signal: on return from this handler. */
static void
die_of(int sig, siginfo_t *si)
{
	struct sys_sigaction deadly = {0};

	sys_sigaction(sig, &deadly, NULL);
	view_queue_again(sig, si, true);
}

/*
 * Returns the mask that really holds while the program's handler runs.  It
 * blocks the tick, except in a SIGSEGV handler on the thread's own stack: that
 * of a garbage collector takes much of a program's time.
 */
static sys_sigset
blocked_in(int sig, const struct sys_sigaction *act)
{
	const bool ticks = sig == SIGSEGV && (act->flags & SA_ONSTACK) == 0;
	struct mask_asked unused;
	sys_sigset mask = act->mask;

	if ((act->flags & SA_NODEFER) == 0)
		mask |= SYS_SIGBIT(sig);
	return mask_real(mask, &unused) | (mask & mask_other()) |
	    (ticks ? 0 : mask_tick());
}

struct sys_sigaction *
view_of_fault(int sig)
{
	return sig == SIGBUS && view.bus_installed ? &view.bus :
	    sig == SIGSEGV && view.segv_installed ? &view.segv : NULL;
}

/* Returns whether the kernel has applied the program's mask already. */
static bool
is_masked(const struct sys_sigaction *act)
{
	return (act == &view.bus || act == &view.segv) &&
	    (act->flags & SA_NODEFER) == 0;
}

/* Enters the program's handler as the kernel has entered ours. */
static void
hand_over(const struct frame_entry *e, int sig, struct sys_sigaction *act)
{
	const ucontext_t *uc = e->context;
	struct sys_sigaction now = *act;
	sys_sigset mask = *(sys_sigset *)&uc->uc_sigmask |
	    blocked_in(sig, &now);

	if ((now.flags & SA_RESETHAND) != 0)
		act->handler = (void *)SIG_DFL;
	/* Behind seccomp the kernel's: the same for SIGBUS, else all. */
	if (!is_masked(act) && !atomic_load(&view.boxed))
		sys_sigprocmask(SIG_SETMASK, &mask, NULL);
	if ((now.flags & SA_ONSTACK) != 0)
		onstack_go(e, sig, now.handler);
	if (frame_is_entry(e))
		frame_enter(e, frame_start(e), sig, now.handler);
	if ((now.flags & SA_SIGINFO) != 0)
		((info_handler *)now.handler)(sig, e->info, e->context);
	else
		((plain_handler *)now.handler)(sig);
}

/* Does the program, in this thread, block a signal that is really open? */
static bool
hidden_here(int sig, sys_sigset mask)
{
	const struct slot *s = mon->pid != 0 ? slot_here() : NULL;
	bool shadow = (mask & MASK_SHADOW) != 0;

	if (s != NULL && slot_is_away(s))
		return shadow;
	shadow = shadow && !mask_own.asked.shadow_only;
	if (mon->pid == 0)
		return shadow;
	if (sig == atomic_load(&view.signal))
		return view.moved ? mask_own.asked.other : shadow;
	if (!view.moved)
		return mask_own.asked.other;
	return !mask_own.asked.settled && shadow;
}

void
view_foreign(const struct frame_entry *e, int sig)
{
	struct sys_sigaction *act = sig == view.fronted ? &view.front :
	    &view.tick;
	siginfo_t *si = e->info;
	ucontext_t *uc = e->context;
	sys_sigset *mask = (sys_sigset *)&uc->uc_sigmask;

	if (hidden_here(sig, *mask)) {
		if (atomic_load(&view.boxed)) {
			loss_count(LOSS_FROZEN, 1);
			return;
		}
		/* Pending from now on, as it would have been without us. */
		*mask |= SYS_SIGBIT(sig);
		view_queue_again(sig, si, false);
		return;
	}
	if (act->handler == (void *)SIG_IGN)
		return;
	if (act->handler == (void *)SIG_DFL)
		die_of(sig, si);
	else
		hand_over(e, sig, act);
}

/*
 * One that was sent comes in the midst of a tick, which lets SIGBUS through
 * even where the program blocks it: it waits for the end of the tick, but for
 * the calls that takes behind seccomp.
 */
static bool
put_off(int sig, siginfo_t *si, ucontext_t *uc)
{
	sys_sigset *mask = (sys_sigset *)&uc->uc_sigmask;
	sys_sigset most = view.real_tick.mask &
	    ~(SYS_SIGBIT(SIGKILL) | SYS_SIGBIT(SIGSTOP));

	if ((*mask & most) != most || atomic_load(&view.boxed))
		return false;
	*mask |= SYS_SIGBIT(sig);
	view_queue_again(sig, si, false);
	return true;
}

/*
 * Handles a fault.  One in our file's mapping or in a walk is ours; every other
 * is the program's.
 */
static void
fault_handler(int sig, siginfo_t *si, void *context)
{
	const struct frame_entry e = FRAME_ENTRY(si, context);
	struct sys_sigaction *program = view_of_fault(sig);
	void *handler = program->handler;
	ucontext_t *uc = context;

	if (si->si_code > 0 && ((sig == SIGBUS && store_holds(si->si_addr) &&
	    store_taken(si->si_addr)) || walk_leaves(uc)))
		return;
	if (si->si_code > 0 && ancestor_taken(si->si_addr))
		return;
	if (si->si_code <= 0) {
		if (put_off(sig, si, context))
			return;
		if (handler == (void *)SIG_DFL)
			die_of(sig, si);
		else if (handler != (void *)SIG_IGN)
			hand_over(&e, sig, program);
		return;
	}
	if (handler == (void *)SIG_DFL || handler == (void *)SIG_IGN) {
		/* The fault comes again, and kills where it is blocked. */
		*(sys_sigset *)&uc->uc_sigmask |= SYS_SIGBIT(sig);
		return;
	}
	hand_over(&e, sig, program);
}

const struct sys_sigaction *
view_behind(int sig, const struct sys_sigaction *act)
{
	if (act->handler == (void *)fault_handler)
		return sig == SIGBUS ? &view.bus : &view.segv;
	if (act->handler != (void *)tick_handler)
		return NULL;
	return sig == view.fronted ? &view.front : &view.tick;
}

/* The kernel applies the program's mask and stack; hand_over() SA_NODEFER. */
void
view_install_fault(int sig, const struct sys_sigaction *program)
{
	struct sys_sigaction act = view.real_tick, was;

	act.handler = (void *)fault_handler;
	act.flags &= ~(unsigned long)SA_ONSTACK;
	if (program->handler != (void *)SIG_DFL &&
	    program->handler != (void *)SIG_IGN)
		act.flags &= ~(unsigned long)SA_RESTART;
	act.flags |= program->flags & (SA_ONSTACK | SA_RESTART);
	act.mask = blocked_in(sig, program);
	if (program->handler != (void *)SIG_DFL)
		atomic_store(&view.may_hold, true);
	if (sig == SIGBUS) {
		view.bus = *program;
		view.bus_installed = true;
	} else {
		view.segv = *program;
		view.segv_installed = true;
	}
	if (sys_sigaction(sig, &act, &was) != 0 || was.handler ==
	    (void *)fault_handler)
		return;
	/* Another thread may have set one since it was read. */
	onstack_unwrap(sig, &was);
	if (was.handler != program->handler) {
		view_of_fault(sig)->handler = was.handler;
		view_of_fault(sig)->flags = was.flags;
	}
}

void
view_install_front(void)
{
	struct sys_sigaction act = view.real_tick;

	/* As the program's handler wants it, on its stack too. */
	if (view.front.handler != (void *)SIG_DFL &&
	    view.front.handler != (void *)SIG_IGN)
		act.flags &= ~(unsigned long)(SA_RESTART | SA_ONSTACK) |
		    view.front.flags;
	sys_sigaction(view.fronted, &act, NULL);
}

/* Set as any other's before, it has our signals for the program's. */
static uint64_t
asked_mask(int sig, uint64_t real)
{
	uint64_t bit = SYS_SIGBIT(sig), asked = real & ~mask_tick();

	if (!view.moved && (atomic_load(&view.shadowed) & bit) == 0)
		asked &= ~MASK_SHADOW;
	if ((atomic_load(&view.masked) & bit) != 0)
		asked |= mask_tick();
	return asked;
}

void
view_guard_bus(void)
{
	struct sys_sigaction now;

	if (view.bus_installed || sys_sigaction(SIGBUS, NULL, &now) != 0)
		return;
	onstack_unwrap(SIGBUS, &now);
	now.mask = asked_mask(SIGBUS, now.mask);
	view_install_fault(SIGBUS, &now);
}

void
view_guard_segv(void)
{
	struct sys_sigaction now;

	if (view.segv_installed || sys_sigaction(SIGSEGV, NULL, &now) != 0)
		return;
	onstack_unwrap(SIGSEGV, &now);
	if (now.handler != (void *)SIG_DFL && now.handler != (void *)SIG_IGN &&
	    now.handler != atomic_load(&view.segv_handler))
		return;
	now.mask = asked_mask(SIGSEGV, now.mask);
	view_install_fault(SIGSEGV, &now);
}

void
view_guard_walks(uint64_t cpu_ns)
{
	if (cpu_ns < GUARD_NS || atomic_exchange_explicit(&mon->segv_asked,
	    true, memory_order_relaxed))
		return;
	view_guard_segv();
}

void
view_recheck(void)
{
	int sig = atomic_load(&view.signal);
	struct sys_sigaction now;

	/* Ignored for the sake of a child: not for good. */
	if (!view.installed || atomic_load(&view.exposers) > 0 ||
	    sys_sigaction(sig, NULL, &now) != 0 ||
	    now.handler == (void *)tick_handler)
		return;
	loss_count(LOSS_DISPLACED, 1);
	view.tick = now;
	sys_sigaction(sig, &view.real_tick, NULL);
}
