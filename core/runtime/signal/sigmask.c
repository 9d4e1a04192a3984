/*
 * Context: T.  Translates signal masks between those that the program sets and
 * sees, and the kernel's (signal_mask.h): for the hooks of masks and actions
 * (preload/signal), the begin of threads, exec, and this room.
 */
#include "signal/sigmask.h"

#include "base/profiling.h"
#include "clock/tick.h"
#include "count/live_control.h"
#include "signal/altstack.h"
#include "thread/signal_chain.h"

static uint64_t
kernel_mask(void)
{
	uint64_t now = 0;

	sys_sigprocmask(SIG_BLOCK, NULL, &now);
	return now;
}

static void
set_kernel_mask(uint64_t mask)
{
	sys_sigprocmask(SIG_SETMASK, &mask, NULL);
}

bool
sigmask_holds_tick(void)
{
	uint64_t now = kernel_mask();

	return (now & signal_mask_tick() & ~signal_mask_virtual(now)) != 0;
}

STATE_START void
sigmask_init_thread(const struct signal_mask_program *inherited, bool held)
{
	uint64_t now, real, tick = signal_mask_tick();

	if (inherited == &signal_mask_own.program)
		return;		/* a fork child: all is as it was */
	if (held)
		sys_sigprocmask(SIG_UNBLOCK, &tick, NULL);
	now = kernel_mask();
	if (inherited != NULL) {
		signal_mask_own.program = *inherited;
		/*
		 * A thread attribute can give a thread a mask that no hook saw.
		 */
		if ((now & (tick | (virtual_signals.moved ? 0 :
		    signal_mask_other()))) == 0)
			return;
		now |= signal_mask_virtual(now);
	}
	real = signal_mask_real(now, &signal_mask_own.program);
	if (real != now || inherited != NULL)
		set_kernel_mask(real);
}

/*
 * Adapts the mask of a thread that has not seen the move: the signal that the
 * ticks have left was only shadowed in it.
 */
static void
settle_moved_mask(void)
{
	if (!virtual_signals.moved || signal_mask_own.program.settled)
		return;
	set_kernel_mask(signal_mask_apply_move(kernel_mask()));
}

/*
 * Puts the program's mask in force in a vfork child, once.  The child has its
 * parent's TLS, and no clocks.  In a process that was never profiled it does
 * nothing.
 */
static void
apply_mask_in_vfork(void)
{
	int pid;

	if (!virtual_signals.installed)
		return;
	if (profiling_is_frozen()) {
		sigmask_apply_program();	/* harmless when repeated */
		return;
	}
	pid = sys_getpid();
	if (signal_mask_own.child == pid)
		return;
	signal_mask_own.child = pid;
	set_kernel_mask(signal_mask_virtual(kernel_mask()));
}

/* Changes the mask as libc's sigprocmask() does.  Returns 0 or -errno. */
static int
change_kernel_mask(int how, const sigset_t *set, sigset_t *old)
{
	uint64_t mask = set == NULL ? 0 : sigmask_bits_of(set) & ~SIGMASK_LIBC;

	/* The kernel stores its 8 bytes of the set, or finds that it cannot. */
	return sys_sigprocmask(how, set == NULL ? NULL : &mask,
	    old == NULL ? NULL : sigmask_bits(old));
}

/* Returns the mask after a change of the mask `seen` by `how` and `set`. */
static uint64_t
combine_masks(int how, uint64_t seen, uint64_t set)
{
	return how == SIG_BLOCK ? seen | set :
	    how == SIG_UNBLOCK ? seen & ~set : set;
}

/* Returns the signals whose bits the program sees otherwise than the kernel. */
static uint64_t
signals_of_ours(void)
{
	return signal_mask_tick() | (virtual_signals.moved ? 0 :
	    signal_mask_other() | SIGNAL_MASK_SHADOW);
}

/*
 * Unblocks the tick's signal if the thread is not on its alternate stack.  That
 * signal is blocked while an SA_ONSTACK handler runs, and a handler that ended
 * by longjmp has left it blocked.
 */
static void
unblock_tick_signal(void)
{
	uint64_t tick = signal_mask_tick();
	stack_t now;

	if (!profiling_is_frozen() &&
	    SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) == 0 &&
	    (now.ss_flags & SS_ONSTACK) == 0)
		sys_sigprocmask(SIG_UNBLOCK, &tick, NULL);
}

/*
 * Changes the mask by one system call, as without libmon, for a set that has
 * none of signals_of_ours().  The kernel stores the old mask, because `old` may
 * point anywhere.
 */
static int
change_without_virtual(int how, const uint64_t *set, sigset_t *old)
{
	uint64_t room, *before = old == NULL ? &room : sigmask_bits(old);
	uint64_t seen;
	int ret = sys_sigprocmask(how, set, before);

	if (ret != 0)
		return ret;
	seen = signal_mask_virtual(*before);
	if ((*before & signal_mask_tick() & ~seen) != 0)
		unblock_tick_signal();
	if (seen != *before)
		*before = seen;
	return 0;
}

/*
 * Changes the mask by a set that may have signals_of_ours().  Notes in TLS
 * which of them the program has blocked.
 */
static int
change_with_virtual(int how, uint64_t set, sigset_t *old)
{
	struct signal_mask_program asked = signal_mask_own.program;
	uint64_t before, seen, wanted, real;
	int ret;

	if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
		return -EINVAL;
	seen = signal_mask_virtual(before = kernel_mask());
	wanted = combine_masks(how, seen, set);
	real = signal_mask_real(wanted, &asked);
	/*
	 * If the tick's signal is blocked to keep a pending one for the
	 * program, it stays blocked.
	 */
	if ((wanted & signal_mask_tick()) != 0)
		real |= before & signal_mask_tick();
	signal_mask_own.program = asked;
	/* As in the kernel, the mask changes even if `old` is a bad pointer. */
	ret = sys_sigprocmask(SIG_SETMASK, &real, old == NULL ? NULL :
	    sigmask_bits(old));
	if (ret == 0 && old != NULL)
		*sigmask_bits(old) = seen;
	return ret;
}

int
sigmask_change(int how, const sigset_t *set, sigset_t *old)
{
	uint64_t wanted;

	if (!profiling_is_active()) {
		apply_mask_in_vfork();
		return change_kernel_mask(how, set, old);
	}
	settle_moved_mask();
	if (set == NULL)
		return change_without_virtual(how, NULL, old);
	/* libc reads the set, too, so a bad pointer faults there. */
	wanted = sigmask_bits_of(set) & ~SIGMASK_LIBC;
	if (how != SIG_SETMASK && (wanted & signals_of_ours()) == 0)
		return change_without_virtual(how, &wanted, old);
	return change_with_virtual(how, wanted, old);
}

/* Returns whether libmon sent the signal; counts it at pc if it is a tick. */
static bool
is_tick_or_kick(const siginfo_t *si, uintptr_t pc)
{
	return tick_count_dequeued(si, pc) || live_control_is_kick(si);
}

/*
 * The greatest number of signals of other senders that sigmask_drain() takes
 * off and sends again: two signals in two queues.  Such a signal waits in the
 * thread's queue or in the process's, and the kernel delivers the thread's
 * first, so it could hide a tick behind it.
 */
#define FOREIGN_MOST	4

void
sigmask_drain(void)
{
	struct timespec none = {0, 0};
	sys_sigset set = signal_mask_tick() | sigmask_former_tick();
	siginfo_t si, foreign[FOREIGN_MOST];
	unsigned n = 0;
	long sig;

	while (n < FOREIGN_MOST) {
		sig = SYS(rt_sigtimedwait, &set, &si, &none, 8, 0, 0);
		if (sig == -EINTR)
			continue;
		if (sig <= 0)
			break;
		if (!is_tick_or_kick(&si,
		    (uintptr_t)__builtin_return_address(0)))
			foreign[n++] = si;
	}
	for (unsigned i = 0; i < n; i++)
		signal_chain_requeue(foreign[i].si_signo, &foreign[i], false);
}

/*
 * Hides the signals of ours that the program has not blocked: without libmon
 * they would have been delivered, not pending.
 */
int
sigmask_pending(sigset_t *set)
{
	uint64_t real, *now = sigmask_bits(set);
	int ret = (int)SYS(rt_sigpending, set, 8, 0, 0, 0, 0);

	if (ret != 0 || !virtual_signals.installed || !profiling_is_active())
		return ret;
	if (profiling_is_frozen()) {
		/* Hides the tick's signal without reading the mask. */
		*now &= ~signal_mask_tick();
		return 0;
	}
	settle_moved_mask();
	real = kernel_mask();
	if ((*now & real & signal_mask_tick()) != 0) {
		sigmask_drain();
		SYS(rt_sigpending, set, 8, 0, 0, 0, 0);
	}
	*now &= ~signals_of_ours() | signal_mask_virtual(real);
	return 0;
}

/*
 * Returns whether the stack of the handler that runs, if one does, has room for
 * a tick.
 */
static bool
has_room_for_tick(void)
{
	stack_t now;

	return SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) == 0 &&
	    ((now.ss_flags & SS_ONSTACK) == 0 ||
	    (uintptr_t)__builtin_frame_address(0) - (uintptr_t)now.ss_sp >=
	    config.frame + ALTSTACK_TICK_BYTES);
}

uint64_t
sigmask_apply_program(void)
{
	uint64_t before = kernel_mask(), seen = signal_mask_virtual(before);

	if ((before & signal_mask_tick() & ~seen) != 0 &&
	    (profiling_is_frozen() || !has_room_for_tick()))
		seen |= signal_mask_tick();
	set_kernel_mask(seen);
	return before;
}

void
sigmask_restore(uint64_t before)
{
	set_kernel_mask(before);
}
