/*
 * Context: S.  Puts our signal handlers in place of the program's, and gives
 * the program the signals that are not ours, for ticks, the maker of the file
 * and core/runtime/signal; see signal_chain.h.  fault_handler() is our handler
 * of SIGBUS and SIGSEGV: the kernel calls it, in any thread, also in a frozen
 * process and in a vfork child.
 */
#include "thread/signal_chain.h"

#include "base/loss_count.h"
#include "frame.h"
#include "store/ancestor.h"
#include "store/store.h"
#include "thread/signal_mask.h"
#include "thread/signal_stack.h"
#include "thread/thread_slot.h"
#include "unwind/stack_walk.h"

#ifndef SA_RESTORER
#define SA_RESTORER	0x04000000
#endif

#define GUARD_NS	20000000u	/* ns; Go's runtime began within 2 ms */

typedef void plain_handler(int);
typedef void info_handler(int, siginfo_t *, void *);

void
signal_chain_requeue(int sig, siginfo_t *si, bool to_thread)
{
	int pid = sys_getpid();

	if (to_thread || si->si_code == SI_TKILL)
		SYS(rt_tgsigqueueinfo, pid, sys_gettid(), sig, si, 0, 0);
	else
		/*
		 * It goes to the process.  The kernel lets a thread claim to be
		 * another sender only if the target is the thread itself.
		 */
		SYS(rt_sigqueueinfo, sys_gettid(), sig, si, 0, 0, 0);
}

void
signal_chain_apply_move(const struct thread_slot *s, ucontext_t *uc)
{
	sys_sigset *mask = (sys_sigset *)&uc->uc_sigmask;

	if (virtual_signals.moved && s->native &&
	    !signal_mask_own.program.settled)
		*mask = signal_mask_apply_move(*mask);
}

/*
 * Puts the default action of sig in force, and queues the signal again for the
 * calling thread: the process dies of it when this handler returns.  Behind a
 * seccomp filter the calls may fail: the signal is then counted as lost.
 */
static void
die_of_signal(int sig, siginfo_t *si)
{
	struct sys_sigaction deadly = { 0 };

	if (sys_sigaction(sig, &deadly, NULL) != 0)
		loss_count(LOSS_FROZEN, 1);
	else
		signal_chain_requeue(sig, si, true);
}

/*
 * Returns the mask that really holds while the program's handler runs.  It
 * blocks the tick, except in a SIGSEGV handler on the thread's own stack: such
 * a handler of a garbage collector takes much of a program's time.
 */
static sys_sigset
mask_in_handler(int sig, const struct sys_sigaction *act)
{
	const bool ticks = sig == SIGSEGV && (act->flags & SA_ONSTACK) == 0;
	struct signal_mask_program unused;
	sys_sigset mask = act->mask;

	if ((act->flags & SA_NODEFER) == 0)
		mask |= SYS_SIGBIT(sig);
	return signal_mask_real(mask, &unused) | (mask & signal_mask_other()) |
	    (ticks ? 0 : signal_mask_tick());
}

/* Returns the state of a signal of faults; NULL: it is no such signal. */
static struct virtual_fault *
find_fault(int sig)
{
	for (unsigned i = 0; i < VIRTUAL_FAULTS; i++)
		if (virtual_fault_signals[i] == sig)
			return &virtual_signals.faults[i];
	return NULL;
}

struct sys_sigaction *
signal_chain_fault_action(int sig)
{
	struct virtual_fault *fault = find_fault(sig);

	return fault != NULL && fault->installed ? &fault->program : NULL;
}

/* Returns whether the kernel has applied the program's mask already. */
static bool
is_mask_applied(int sig, const struct sys_sigaction *act)
{
	return find_fault(sig) != NULL && (act->flags & SA_NODEFER) == 0;
}

/*
 * Enters the program's handler, which *act names, as the kernel has entered
 * ours.  Does not return if it can put the handler in place of ours; else calls
 * it.  SA_RESETHAND resets *act.
 */
static void
enter_signal_handler(const struct frame_signal_entry *e, int sig,
    struct sys_sigaction *act)
{
	const ucontext_t *uc = e->context;
	struct sys_sigaction now = *act;
	sys_sigset mask = *(sys_sigset *)&uc->uc_sigmask |
	    mask_in_handler(sig, &now);

	if ((now.flags & SA_RESETHAND) != 0)
		act->handler = (void *)SIG_DFL;
	/*
	 * Once a seccomp filter is set, the mask that the kernel applied stays:
	 * it is the same for a fault's signal, and blocks all signals for the
	 * tick's.
	 */
	if (!is_mask_applied(sig, act) && !atomic_load(&virtual_signals.boxed))
		sys_sigprocmask(SIG_SETMASK, &mask, NULL);
	if ((now.flags & SA_ONSTACK) != 0)
		signal_stack_enter(e, sig, now.handler);
	if (frame_is_signal_entry(e))
		frame_enter_handler(e, frame_signal_start(e), sig, now.handler);
	if ((now.flags & SA_SIGINFO) != 0)
		((info_handler *)now.handler)(sig, e->info, e->context);
	else
		((plain_handler *)now.handler)(sig);
}

/*
 * Returns whether the program blocks, in this thread, a signal that is not
 * really blocked.  mask: the real mask.
 */
static bool
is_blocked_by_program(int sig, sys_sigset mask)
{
	const struct thread_slot *s = mon->pid != 0 ? thread_slot_current() :
	    NULL;
	bool shadow = (mask & SIGNAL_MASK_SHADOW) != 0;

	if (s != NULL && thread_slot_tls_replaced(s))
		return shadow;
	shadow = shadow && !signal_mask_own.program.shadow_only;
	if (mon->pid == 0)
		return shadow;
	if (sig == atomic_load(&virtual_signals.signal))
		return virtual_signals.moved ? signal_mask_own.program.other :
		    shadow;
	if (!virtual_signals.moved)
		return signal_mask_own.program.other;
	return !signal_mask_own.program.settled && shadow;
}

void
signal_chain_deliver(const struct frame_signal_entry *e, int sig)
{
	struct sys_sigaction *act = sig == virtual_signals.fronted ?
	    &virtual_signals.front : &virtual_signals.tick;
	siginfo_t *si = e->info;
	ucontext_t *uc = e->context;
	sys_sigset *mask = (sys_sigset *)&uc->uc_sigmask;

	if (is_blocked_by_program(sig, *mask)) {
		if (atomic_load(&virtual_signals.boxed)) {
			loss_count(LOSS_FROZEN, 1);
			return;
		}
		/* It is pending from now on, as it would be without us. */
		*mask |= SYS_SIGBIT(sig);
		signal_chain_requeue(sig, si, false);
		return;
	}
	if (act->handler == (void *)SIG_IGN)
		return;
	if (act->handler == (void *)SIG_DFL)
		die_of_signal(sig, si);
	else
		enter_signal_handler(e, sig, act);
}

/*
 * Defers a SIGBUS or SIGSEGV that was sent, not caused by a fault, and that
 * comes in the middle of a tick.  A tick lets these signals through even if the
 * program blocks them.  Returns whether the signal will come again after the
 * tick.  Once a seccomp filter is set, it returns false, because deferring
 * needs system calls.
 */
static bool
defer_sent_signal(int sig, siginfo_t *si, ucontext_t *uc)
{
	sys_sigset *mask = (sys_sigset *)&uc->uc_sigmask;
	sys_sigset most = virtual_signals.real_tick.mask &
	    ~(SYS_SIGBIT(SIGKILL) | SYS_SIGBIT(SIGSTOP));

	if ((*mask & most) != most || atomic_load(&virtual_signals.boxed))
		return false;
	*mask |= SYS_SIGBIT(sig);
	signal_chain_requeue(sig, si, false);
	return true;
}

/*
 * Handles a SIGBUS or SIGSEGV.  A fault in the mapping of our file, or of an
 * ancestor's header, or in a stack walk is ours; every other fault, and a
 * signal that was sent, is the program's.
 */
static void
fault_handler(int sig, siginfo_t *si, void *context)
{
	const struct frame_signal_entry e = FRAME_SIGNAL_ENTRY(si, context);
	struct sys_sigaction *program = signal_chain_fault_action(sig);
	void *handler = program->handler;
	ucontext_t *uc = context;

	if (si->si_code > 0 && ((sig == SIGBUS && store_contains(si->si_addr) &&
	    store_on_truncate(si->si_addr)) || stack_walk_catch_fault(uc)))
		return;
	if (si->si_code > 0 && ancestor_repair_page(si->si_addr))
		return;
	if (si->si_code <= 0) {
		if (defer_sent_signal(sig, si, context))
			return;
		if (handler == (void *)SIG_DFL)
			die_of_signal(sig, si);
		else if (handler != (void *)SIG_IGN)
			enter_signal_handler(&e, sig, program);
		return;
	}
	if (handler == (void *)SIG_DFL || handler == (void *)SIG_IGN) {
		/*
		 * The fault comes again, and kills because its signal is
		 * blocked.
		 */
		*(sys_sigset *)&uc->uc_sigmask |= SYS_SIGBIT(sig);
		return;
	}
	enter_signal_handler(&e, sig, program);
}

/*
 * Returns whether *act is our action for the tick.  real_tick is filled in
 * before that action is installed for the first time.
 */
static bool
is_tick_action(const struct sys_sigaction *act)
{
	return act->handler != NULL &&
	    act->handler == virtual_signals.real_tick.handler;
}

const struct sys_sigaction *
signal_chain_program_action(int sig, const struct sys_sigaction *act)
{
	if (act->handler == (void *)fault_handler)
		return &find_fault(sig)->program;
	if (!is_tick_action(act))
		return NULL;
	return sig == virtual_signals.fronted ? &virtual_signals.front :
	    &virtual_signals.tick;
}

/*
 * The kernel applies the program's mask and stack.  For SA_NODEFER,
 * enter_signal_handler() does so.
 */
void
signal_chain_install_fault(int sig, const struct sys_sigaction *program)
{
	struct sys_sigaction act = virtual_signals.real_tick, was;
	struct virtual_fault *fault = find_fault(sig);

	act.handler = (void *)fault_handler;
	act.flags &= ~(unsigned long)SA_ONSTACK;
	if (program->handler != (void *)SIG_DFL &&
	    program->handler != (void *)SIG_IGN)
		act.flags &= ~(unsigned long)SA_RESTART;
	act.flags |= program->flags & (SA_ONSTACK | SA_RESTART);
	act.mask = mask_in_handler(sig, program);
	if (program->handler != (void *)SIG_DFL)
		atomic_store(&virtual_signals.may_hold, true);
	fault->program = *program;
	fault->installed = true;
	if (sys_sigaction(sig, &act, &was) != 0 || was.handler ==
	    (void *)fault_handler)
		return;
	/*
	 * Another thread may have set an action since the program's was read.
	 */
	signal_stack_unwrap(sig, &was);
	if (was.handler != program->handler) {
		fault->program.handler = was.handler;
		fault->program.flags = was.flags;
	}
}

void
signal_chain_install_fronted(void)
{
	struct sys_sigaction act = virtual_signals.real_tick;

	/*
	 * The flags, and the stack, are those that the program's handler wants.
	 */
	if (virtual_signals.front.handler != (void *)SIG_DFL &&
	    virtual_signals.front.handler != (void *)SIG_IGN)
		act.flags &= ~(unsigned long)(SA_RESTART | SA_ONSTACK) |
		    virtual_signals.front.flags;
	sys_sigaction(virtual_signals.fronted, &act, NULL);
}

/*
 * Returns the mask that the program has asked for in its action for sig, whose
 * real mask is `real`.  The real mask differs from it in our signals.
 */
static uint64_t
program_action_mask(int sig, uint64_t real)
{
	uint64_t bit = SYS_SIGBIT(sig), asked = real & ~signal_mask_tick();

	if (!virtual_signals.moved &&
	    (atomic_load(&virtual_signals.shadowed) & bit) == 0)
		asked &= ~SIGNAL_MASK_SHADOW;
	if ((atomic_load(&virtual_signals.masked) & bit) != 0)
		asked |= signal_mask_tick();
	return asked;
}

void
signal_chain_guard_bus(void)
{
	struct sys_sigaction now;

	if (virtual_signals.faults[VIRTUAL_FAULT_BUS].installed ||
	    sys_sigaction(SIGBUS, NULL, &now) != 0)
		return;
	signal_stack_unwrap(SIGBUS, &now);
	now.mask = program_action_mask(SIGBUS, now.mask);
	signal_chain_install_fault(SIGBUS, &now);
}

void
signal_chain_guard_segv(void)
{
	struct sys_sigaction now;

	if (virtual_signals.faults[VIRTUAL_FAULT_SEGV].installed ||
	    sys_sigaction(SIGSEGV, NULL, &now) != 0)
		return;
	signal_stack_unwrap(SIGSEGV, &now);
	if (now.handler != (void *)SIG_DFL && now.handler != (void *)SIG_IGN &&
	    now.handler != atomic_load(&virtual_signals.segv_handler))
		return;
	now.mask = program_action_mask(SIGSEGV, now.mask);
	signal_chain_install_fault(SIGSEGV, &now);
}

void
signal_chain_guard_walks(uint64_t cpu_ns)
{
	if (cpu_ns < GUARD_NS || atomic_exchange_explicit(&mon->segv_asked,
	    true, memory_order_relaxed))
		return;
	signal_chain_guard_segv();
}

void
signal_chain_recheck(void)
{
	int sig = atomic_load(&virtual_signals.signal);
	struct sys_sigaction now;

	/*
	 * While a thread is in an exec, the signal is ignored for the sake of
	 * the new program, but not for good.
	 */
	if (!virtual_signals.installed ||
	    atomic_load(&virtual_signals.exposers) > 0 || sys_sigaction(sig,
	    NULL, &now) != 0 || is_tick_action(&now))
		return;
	loss_count(LOSS_DISPLACED, 1);
	virtual_signals.tick = now;
	sys_sigaction(sig, &virtual_signals.real_tick, NULL);
}
