/*
 * Context: T.  Moves the ticks to another signal when the program uses theirs,
 * once in a process image: from the hook that finds out (preload/signal, this
 * room); doc/design/signals.md.
 *
 * The old signal is the tick's before the move and the program's after it.  The
 * new signal is the tick's after the move.
 */
#include "signal/signal_move.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "base/thread_clock.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "count/live_control.h"
#include "signal/sigmask.h"
#include "thread/signal_chain.h"
#include "thread/signal_stack.h"
#include "thread/thread_slot.h"
#include "thread/thread_slot_each.h"

/* Starts the clocks of a live thread again, which then send the new signal. */
static void
rearm_moved_clock(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) != THREAD_SLOT_LIVE)
		return;
	cpu_timer_stop(s);
	/* not the caller's clock, which is off */
	if (s->fine_clock.state == FORMAT_FINE_ON)
		atomic_store(&s->fine_clock.renew, true);
	thread_clock_start(s);
}

/*
 * Converts the sa_masks that were set before the move: where the program asked
 * for it, the old signal is in the kernel's masks from now on, and the new one
 * is not.  from, to: the bits of the old and the new signal.
 */
static void
convert_action_masks(uint64_t from, uint64_t to)
{
	uint64_t masked = atomic_load(&virtual_signals.masked), now = 0;
	uint64_t shadowed = atomic_load(&virtual_signals.shadowed);
	struct sys_sigaction act;

	for (int sig = 1; sig <= 64; sig++) {
		uint64_t bit = SYS_SIGBIT(sig);

		if (bit == from || bit == to ||
		    sys_sigaction(sig, NULL, &act) != 0 ||
		    (act.handler == (void *)SIG_DFL && act.mask == 0))
			continue;
		if ((act.mask & to) != 0)
			now |= bit;
		act.mask &= ~(to | ((shadowed & bit) == 0 ? SIGNAL_MASK_SHADOW :
		    0));
		if ((masked & bit) != 0)
			act.mask |= from;
		if ((act.flags & SA_ONSTACK) != 0)
			act.mask |= to;
		sys_sigaction(sig, &act, NULL);
	}
	atomic_store(&virtual_signals.masked, now);
}

/* Stops the timer of the process for good, if libmon uses it: a loss. */
static void
yield_itimer(void)
{
	if (!mon->process_tier)
		return;
	cpu_timer_stop_process();
	loss_count(LOSS_YIELDED, 1);
}

/*
 * Stops the caller's clocks; the old signal is blocked.  Drains twice: a tick
 * that came after the first time would be pending when that signal is the
 * program's, and would kill a program that has no handler.
 */
static void
stop_clocks_of_caller(void)
{
	struct thread_slot *s = thread_slot_self;

	sigmask_drain();
	if (s == NULL || !thread_slot_is_valid(s))
		return;
	cpu_timer_stop(s);
	perf_clock_stop(s, FORMAT_FINE_NEVER);
	sigmask_drain();
}

void
signal_move_ticks(void)
{
	int from = atomic_load(&virtual_signals.signal), to =
	    atomic_load(&virtual_signals.other);
	uint64_t bit = SYS_SIGBIT(from), seen, before;
	struct sys_sigaction programs = virtual_signals.tick;

	if (virtual_signals.moved || virtual_signals.fronted != to ||
	    atomic_load(&mon->frozen) ||
	    atomic_exchange(&virtual_signals.moving, true))
		return;
	yield_itimer();	/* this timer sends no other signal */
	sys_sigaction(to, &virtual_signals.real_tick, NULL);
	sys_sigprocmask(SIG_BLOCK, &bit, &before);
	seen = signal_mask_virtual(before);
	stop_clocks_of_caller();
	virtual_signals.tick = virtual_signals.front;
	atomic_store(&virtual_signals.other, from);
	atomic_store(&virtual_signals.signal, to);
	virtual_signals.moved = true;
	thread_slot_reclaim();		/* so that dead threads get no clock */
	thread_slot_for_each(rearm_moved_clock, NULL);
	if (atomic_load(&mon->live) > 1) {
		/*
		 * Perf clocks of other threads still send the old signal until
		 * their next tick.
		 */
		virtual_signals.front = programs;
		virtual_signals.fronted = from;
		signal_chain_install_fronted();
	} else {
		virtual_signals.fronted = 0;
		signal_stack_wrap(from, &programs);
		sys_sigaction(from, &programs, NULL);
	}
	live_control_publish_kick();
	convert_action_masks(bit, SYS_SIGBIT(to));
	before = signal_mask_real(seen, &signal_mask_own.program);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Returns whether nothing may be changed here, as in a vfork child. */
static bool
is_vfork_child(void)
{
	return !profiling_is_active();
}

void
signal_move_if_used(int sig)
{
	/* The shadow is the program's signal again after a move. */
	if (virtual_signals.installed && !virtual_signals.moved &&
	    (sig == SIGNAL_MASK_SHADOW_SIGNAL ||
	    sig == atomic_load(&virtual_signals.signal)) && !is_vfork_child())
		signal_move_ticks();
}

void
signal_move_yield_itimer(void)
{
	if (is_vfork_child())
		return;
	yield_itimer();
	signal_move_if_used(SIGPROF);
}
