/*
 * Context: T.  Sets the alternate signal stacks of threads, for their begin,
 * the freeze and the hook of sigaltstack(2); see altstack.h.
 */
#include "signal/altstack.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "count/live_control.h"
#include "base/thread_clock.h"
#include "signal/sigmask.h"
#include "thread/signal_stack.h"
#include "thread/thread_life.h"
#include "thread/thread_scan.h"
#include "thread/thread_slot.h"
#include "unwind/stack_read.h"

static void
set_kernel_altstack(void *base, stack_t *before)
{
	const stack_t s = {.ss_sp = base, .ss_size = SIGNAL_STACK_BYTES};

	SYS(sigaltstack, &s, before, 0, 0, 0, 0);
}

/*
 * Measures the size of the kernel's signal frame, once, where it matters, so
 * that the start of a process need not do that.
 */
static void
measure_signal_frame(void)
{
	static atomic_bool done;

	if (atomic_load(&mon->frozen) || atomic_load(&done))
		return;
	config.frame = arch_signal_frame_bytes(config.frame);
	atomic_store(&done, true);
}

/* Returns whether a tick does not fit on the stack. */
static bool
is_small_altstack(const stack_t *now)
{
	if (now->ss_size >= config.frame + ALTSTACK_TICK_BYTES)
		return false;
	measure_signal_frame();
	return now->ss_size < config.frame + ALTSTACK_TICK_BYTES;
}

/* Notes that the thread can have no tick, which is a loss; tells tools. */
static void
mark_small_altstack(struct thread_slot *s)
{
	if (atomic_exchange(&s->stack.small, true))
		return;
	atomic_fetch_add(&mon->small_stacks, 1);
	live_control_publish_kick();
	loss_count(LOSS_ALTSTACK, 1);
}

/*
 * Handles a stack that a runtime has set by a raw system call.  Its handlers,
 * which raw calls set, too, rely on running there, so ticks run there as well.
 */
static void
use_foreign_altstack(struct thread_slot *s, const stack_t *now)
{
	if (is_small_altstack(now))
		mark_small_altstack(s);
	/*
	 * The stack may be just large enough for the program's handlers: see
	 * note_onstack_handler() in sigaction.c.
	 */
	if (now->ss_size < SIGNAL_STACK_BYTES &&
	    !atomic_exchange(&virtual_signals.own_stacks, true))
		live_control_publish_kick();
}

/*
 * Sets a stack of libmon for the first thread.  In a fork's child the thread
 * usually has libmon's stack already: asking takes one call.  Another thread
 * usually has none, which the call that sets libmon's says.
 */
STATE_START static void
install_main_altstack(struct thread_slot *s)
{
	stack_t before = {.ss_flags = SS_DISABLE};

	if (mon->forked) {
		SYS(sigaltstack, NULL, &before, 0, 0, 0, 0);
		if (signal_stack_is_ours(&before))
			return;
	}
	set_kernel_altstack(s->stack.alt, &before);
	if ((before.ss_flags & SS_DISABLE) != 0)
		return;
	SYS(sigaltstack, &before, NULL, 0, 0, 0, 0);
	/* else libmon's, from before a fork */
	if (!signal_stack_is_ours(&before))
		use_foreign_altstack(s, &before);
}

STATE_START void
altstack_install(struct thread_slot *s)
{
	stack_t now;

	if (s->main) {
		s->stack.alt = signal_stack_make(true);
		install_main_altstack(s);
		return;
	}
	if (SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) != 0)
		return;
	if (signal_stack_is_ours(&now)) {
		s->stack.alt = now.ss_sp;	/* from before a fork */
		return;
	}
	if ((now.ss_flags & SS_DISABLE) == 0) {
		use_foreign_altstack(s, &now);
		return;
	}
	if (!atomic_load(&mon->frozen))
		altstack_reserve(s);
	if (s->stack.alt != NULL)
		set_kernel_altstack(s->stack.alt, NULL);
}

void
altstack_reserve(struct thread_slot *s)
{
	if (s->stack.alt == NULL)
		s->stack.alt = signal_stack_make(s->main);
}

/*
 * Leaves the calling thread without a clock, because there is no memory for a
 * stack of libmon.  After this no tick may arrive, not even one that was sent
 * before.
 */
static void
stop_clocks_of_slot(struct thread_slot *s)
{
	mark_small_altstack(s);
	cpu_timer_stop(s);
	perf_clock_stop(s, FORMAT_FINE_NEVER);
	sigmask_drain();
	/*
	 * Another thread may have started the timer of the process before it
	 * could see that this thread must not be ticked.
	 */
	if (atomic_load(&mon->process_tier) || atomic_load(&mon->arming))
		thread_clock_drop_itimer();
}

/*
 * Returns the slot of the calling thread.  In a thread that shares its maker's
 * TLS, the slot in TLS is the maker's.
 */
static struct thread_slot *
slot_of_caller(void)
{
	struct thread_slot *s = thread_slot_self;
	int tid;

	if (s == NULL || !thread_slot_is_valid(s))
		return NULL;
	tid = atomic_load(&mon->frozen) ? s->tid : sys_gettid();
	if (s->tid == tid)
		return s;
	s = thread_slot_of_tid(tid);
	if (s != NULL || (s = thread_scan_take(tid)) == NULL)
		return s;
	thread_life_set_met(s);
	return thread_scan_attach(s);
}

/*
 * Returns the error for a thread that runs on its alternate stack and sets
 * another: the kernel answers EPERM, or EFAULT first.
 */
static int
refuse_on_altstack(const stack_t *set)
{
	const uintptr_t at = (uintptr_t)set;

	if (atomic_load(&mon->frozen) || (stack_read_is_mapped(at) &&
	    stack_read_is_mapped(at + sizeof(*set) - 1)))
		return -EPERM;
	return -EFAULT;
}

/* The arguments and the result of set_both_altstacks(). */
struct altstack_setting {
	void *base;
	const stack_t *set, *now;
	altstack_call *call;
	/* the caller is a handler that runs on libmon's stack */
	bool in_place;
	int error;
};

/*
 * Lets the kernel check the program's stack by setting it.  Then reads back
 * what the kernel has taken, keeps that as the program's, and sets libmon's
 * stack again.
 */
static void
set_both_altstacks(void *setting)
{
	struct altstack_setting *s = setting;
	stack_t taken, ours;

	if (s->call(s->set, NULL) != 0) {
		s->error = errno;
		return;
	}
	if (SYS(sigaltstack, NULL, &taken, 0, 0, 0, 0) != 0)
		return;
	ours = signal_stack_translate(s->base, &taken, s->now, s->in_place);
	SYS(sigaltstack, &ours, NULL, 0, 0, 0, 0);
}

/*
 * Sets the program's stack with signals blocked, so that no handler runs
 * meanwhile.  A handler of a program without a stack may run on libmon's, where
 * the kernel refuses every change: then the calls are made from another stack.
 */
static int
set_altstack_blocked(void *base, const stack_t *set, const stack_t *now,
    altstack_call *call)
{
	const sys_sigset all = ~(sys_sigset)0;
	struct altstack_setting s = {base, set, now, call,
	    signal_stack_is_ours(now) && signal_stack_contains(base,
	    (uintptr_t)__builtin_frame_address(0)), 0};
	sys_sigset before;

	thread_slot_block_signals(&before);
	if (s.in_place) {
		sys_sigprocmask(SIG_BLOCK, &all, NULL);
		arch_call_on_stack(signal_stack_spare(base), set_both_altstacks,
		    &s);
	} else {
		set_both_altstacks(&s);
	}
	thread_slot_restore_mask(&before);
	return -s.error;
}

/*
 * Sets the program's stack behind a seccomp filter, where signals cannot be
 * blocked.  Passes libmon's to the kernel, but with the program's size if that
 * is too small, so that the kernel refuses it.
 */
static int
set_altstack_frozen(void *base, const stack_t *set, const stack_t *now,
    altstack_call *call)
{
	stack_t ours = signal_stack_translate(base, set, now, false);

	if ((set->ss_flags & SS_DISABLE) == 0) {
		ours.ss_flags = (int)((unsigned)set->ss_flags & ~SS_AUTODISARM);
		if (set->ss_size < ARCH_MIN_SIGSTACK)
			ours.ss_size = set->ss_size;
	}
	return call(&ours, NULL) == 0 ? 0 : -errno;
}

/*
 * Sets the program's stack `set`.  now: the stack that the kernel has; shown:
 * the one that the program sees.  Returns 0 or -errno.
 */
static int
change_altstack(const stack_t *set, const stack_t *now, const stack_t *shown,
    altstack_call *call)
{
	struct thread_slot *s = profiling_is_active() ? slot_of_caller() : NULL;
	void *base = signal_stack_is_ours(now) ? now->ss_sp : NULL;

	if (s == NULL)
		return call(set, NULL) == 0 ? 0 : -errno;
	if (base != NULL && (shown->ss_flags & SS_ONSTACK) != 0)
		return refuse_on_altstack(set);
	if (base == NULL) {
		if (!atomic_load(&mon->frozen))
			altstack_reserve(s);
		base = s->stack.alt;
	}
	if (base == NULL) {
		if (!atomic_load(&mon->frozen))
			stop_clocks_of_slot(s);
		return call(set, NULL) == 0 ? 0 : -errno;
	}
	return atomic_load(&mon->frozen) ?
	    set_altstack_frozen(base, set, now, call) :
	    set_altstack_blocked(base, set, now, call);
}

int
altstack_set(const stack_t *set, stack_t *old, altstack_call *call)
{
	stack_t now, shown;
	int ret = 0;

	if (mon == NULL || SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) != 0)
		return call(set, old) == 0 ? 0 : -errno;
	signal_stack_show(&now, (uintptr_t)__builtin_frame_address(0), &shown);
	if (set != NULL)
		ret = change_altstack(set, &now, &shown, call);
	if (ret != 0 || old == NULL)
		return ret;
	/* The kernel tells whether `old` can be written. */
	if (call(NULL, old) != 0)
		return -errno;
	*old = shown;
	return 0;
}
