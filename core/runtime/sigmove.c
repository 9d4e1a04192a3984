/*
 * Context: T.  The program uses the tick's signal, so our ticks move to
 * another; doc/internals.md, section 8.
 *
 * T is the tick's signal, native after a move.
 */
#include "sigmove.h"

#include "clock.h"
#include "coarse.h"
#include "control.h"
#include "fine.h"
#include "onstack.h"
#include "sigmask.h"
#include "slot.h"
#include "start.h"
#include "view.h"

static void
rearm(struct slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) != SLOT_LIVE)
		return;
	coarse_stop(s);
	if (s->fine == FORMAT_FINE_ON)	/* not our own, which is off */
		atomic_store(&s->renew, true);
	clock_start(s);
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

	sigmask_drain();
	if (s == NULL || !slot_valid(s))
		return;
	coarse_stop(s);
	fine_stop(s, FORMAT_FINE_NEVER);
	sigmask_drain();
}

void
sigmove_now(void)
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
	slot_reclaim();		/* the dead have no clock to start */
	slot_each(rearm, NULL);
	if (atomic_load(&mon->live) > 1) {
		/* Fine clocks of other threads still send it for a tick. */
		view.front = programs;
		view.fronted = from;
		view_install_front();
	} else {
		view.fronted = 0;
		onstack_wrap(from, &programs);
		sys_sigaction(from, &programs, NULL);
	}
	control_show_kick();
	convert_actions(bit, SYS_SIGBIT(to));
	before = mask_real(seen, &mask_own.asked);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
}

static bool
in_child(void)
{
	return !start_active();
}

void
sigmove_use(int sig)
{
	/* The shadow is the program's again after a move. */
	if (view.installed && !view.moved && (sig == MASK_SHADOW_SIGNAL ||
	    sig == atomic_load(&view.signal)) && !in_child())
		sigmove_now();
}

void
sigmove_program_takes_itimer(void)
{
	if (in_child())
		return;
	yield_process_timer();
	sigmove_use(SIGPROF);
}
