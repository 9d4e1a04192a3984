/* Context: T.  Signal masks as the program sets and sees them; see mask.h. */
#include "sigmask.h"

#include "altstack.h"
#include "control.h"
#include "sigmove.h"
#include "start.h"
#include "tick.h"
#include "usermem.h"
#include "view.h"

static uint64_t
real_now(void)
{
	uint64_t now = 0;

	sys_sigprocmask(SIG_BLOCK, NULL, &now);
	return now;
}

static void
set_real(uint64_t mask)
{
	sys_sigprocmask(SIG_SETMASK, &mask, NULL);
}

bool
sigmask_held(void)
{
	uint64_t now = real_now();

	return (now & mask_tick() & ~mask_seen(now)) != 0;
}

STATE_START void
sigmask_enter_thread(const struct mask_asked *inherited, bool held)
{
	uint64_t now, real, tick = mask_tick();

	if (inherited == &mask_own.asked)
		return;		/* a fork child: all is as it was */
	if (held)
		sys_sigprocmask(SIG_UNBLOCK, &tick, NULL);
	now = real_now();
	if (inherited != NULL) {
		mask_own.asked = *inherited;
		/* An attribute can give a thread a mask that no hook saw. */
		if ((now & (tick | (view.moved ? 0 : mask_other()))) == 0)
			return;
		now |= mask_seen(now);
	}
	real = mask_real(now, &mask_own.asked);
	if (real != now || inherited != NULL)
		set_real(real);
}

/* A thread that has not heard of the move: T was only shadowed in it. */
static void
settle(void)
{
	if (!view.moved || mask_own.asked.settled)
		return;
	set_real(mask_settle(real_now()));
}

/*
 * A vfork child has the parent's TLS and no clocks: once, its real mask becomes
 * the program's.
 */
static void
materialise_in_child(void)
{
	int pid;

	if (!view.installed)
		return;
	if (start_boxed()) {
		sigmask_expose();	/* again harmless */
		return;
	}
	pid = sys_getpid();
	if (mask_own.child == pid)
		return;
	mask_own.child = pid;
	set_real(mask_seen(real_now()));
}

static int
change_plainly(int how, const sigset_t *set, sigset_t *old)
{
	uint64_t mask = set == NULL ? 0 : sigmask_bits_of(set) & ~SIGMASK_LIBC;

	/* The kernel stores its 8 bytes of the set, or finds that it cannot. */
	return sys_sigprocmask(how, set == NULL ? NULL : &mask,
	    old == NULL ? NULL : sigmask_bits(old));
}

static uint64_t
combine(int how, uint64_t seen, uint64_t set)
{
	return how == SIG_BLOCK ? seen | set :
	    how == SIG_UNBLOCK ? seen & ~set : set;
}

/* Of the signals that play a part in our picture. */
static uint64_t
special(void)
{
	return mask_tick() | (view.moved ? 0 : mask_other() | MASK_SHADOW);
}

/*
 * The tick's signal is blocked while a SA_ONSTACK handler runs.  One that left
 * by longjmp left it so: off the alternate stack there is no reason any more.
 */
static void
reopen(void)
{
	uint64_t tick = mask_tick();
	stack_t now;

	if (!start_boxed() && SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) == 0 &&
	    (now.ss_flags & SS_ONSTACK) == 0)
		sys_sigprocmask(SIG_UNBLOCK, &tick, NULL);
}

/*
 * Changes the mask by one system call, as without libmon, if the set has none
 * of those signals.  The kernel stores the old mask, because `old` may point
 * anywhere.
 */
static int
change_others(int how, const uint64_t *set, sigset_t *old)
{
	uint64_t room, *before = old == NULL ? &room : sigmask_bits(old);
	uint64_t seen;
	int ret = sys_sigprocmask(how, set, before);

	if (ret != 0)
		return ret;
	seen = mask_seen(*before);
	if ((*before & mask_tick() & ~seen) != 0)
		reopen();
	if (seen != *before)
		*before = seen;
	return 0;
}

static int
change_special(int how, uint64_t set, sigset_t *old)
{
	struct mask_asked asked = mask_own.asked;
	uint64_t before, seen, wanted, real;
	int ret;

	if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
		return -EINVAL;
	seen = mask_seen(before = real_now());
	wanted = combine(how, seen, set);
	real = mask_real(wanted, &asked);
	/* A signal that is pending and kept back for the program stays so. */
	if ((wanted & mask_tick()) != 0)
		real |= before & mask_tick();
	mask_own.asked = asked;
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

	if (!start_active()) {
		materialise_in_child();
		return change_plainly(how, set, old);
	}
	settle();
	if (set == NULL)
		return change_others(how, NULL, old);
	/* libc reads the set, too, so a bad pointer faults there. */
	wanted = sigmask_bits_of(set) & ~SIGMASK_LIBC;
	if (how != SIG_SETMASK && (wanted & special()) == 0)
		return change_others(how, &wanted, old);
	return change_special(how, wanted, old);
}

static bool
is_ours(const siginfo_t *si, uintptr_t pc)
{
	return tick_claim(si, pc) || control_is_kick(si);
}

/*
 * One of another sender waits in the thread's queue or in the process's, and
 * the kernel gives out the thread's first: it must not hide a tick behind it.
 */
#define FOREIGN_MOST	4	/* two signals in two queues */

void
sigmask_drain(void)
{
	struct timespec none = {0, 0};
	sys_sigset set = mask_tick() | sigmask_front();
	siginfo_t si, foreign[FOREIGN_MOST];
	unsigned i, n = 0;
	long sig;

	while (n < FOREIGN_MOST) {
		sig = SYS(rt_sigtimedwait, &set, &si, &none, 8, 0, 0);
		if (sig == -EINTR)
			continue;
		if (sig <= 0)
			break;
		if (!is_ours(&si, (uintptr_t)__builtin_return_address(0)))
			foreign[n++] = si;
	}
	for (i = 0; i < n; i++)
		view_queue_again(foreign[i].si_signo, &foreign[i], false);
}

/* What the program sees open would have been delivered, not be pending. */
int
sigmask_pending(sigset_t *set)
{
	uint64_t real, *now = sigmask_bits(set);
	int ret = (int)SYS(rt_sigpending, set, 8, 0, 0, 0, 0);

	if (ret != 0 || !view.installed || !start_active())
		return ret;
	if (start_boxed()) {
		/* Ours, without a look at the mask. */
		*now &= ~mask_tick();
		return 0;
	}
	settle();
	real = real_now();
	if ((*now & real & mask_tick()) != 0) {
		sigmask_drain();
		SYS(rt_sigpending, set, 8, 0, 0, 0, 0);
	}
	*now &= ~special() | mask_seen(real);
	return 0;
}

/*
 * Reads the set to translate; returns false if the set is passed on as it is.
 */
static bool
take_set(const sigset_t *set, uint64_t *bits)
{
	return set != NULL && view.installed && start_active() &&
	    usermem_read_set(set, bits);
}

const sigset_t *
sigmask_wait(const sigset_t *set, sigset_t *copy)
{
	struct mask_asked unused;
	uint64_t bits;

	if (!take_set(set, &bits))
		return set;
	bits = mask_real(bits, &unused);
	/*
	 * The tick would arrive now and end the call.  Asking costs a system
	 * call.
	 */
	if (atomic_load(&view.may_hold) && !start_boxed() && sigmask_held())
		bits |= mask_tick();
	sigmask_set(copy, bits);
	return copy;
}

const sigset_t *
sigmask_want(const sigset_t *set, sigset_t *copy)
{
	uint64_t bits;

	if (!take_set(set, &bits))
		return set;
	if ((bits & mask_tick()) != 0)
		sigmove_now();
	sigmask_set(copy, bits & ~mask_tick());
	return copy;
}

/* A tick on top of the handler that we are in, if we are in one. */
static bool
tick_has_room(void)
{
	stack_t now;

	return SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) == 0 &&
	    ((now.ss_flags & SS_ONSTACK) == 0 ||
	    (uintptr_t)__builtin_frame_address(0) - (uintptr_t)now.ss_sp >=
	    config.frame + ALTSTACK_NEED);
}

uint64_t
sigmask_expose(void)
{
	uint64_t before = real_now(), seen = mask_seen(before);

	if ((before & mask_tick() & ~seen) != 0 &&
	    (start_boxed() || !tick_has_room()))
		seen |= mask_tick();
	set_real(seen);
	return before;
}

void
sigmask_conceal(uint64_t before)
{
	set_real(before);
}
