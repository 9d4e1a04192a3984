/*
 * Context: T.  Chooses the coarse clock of a thread, when it begins and when
 * all clocks start again; see thread_clock.h.
 */
#include "base/thread_clock.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "clock/clock_switch.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "thread/thread_slot.h"
#include "thread/thread_slot_each.h"
#include "unwind/stack_read.h"

#define YIELDS_MOST	1000	/* to wait for another thread that decides */
#define STACK_ROOM	16384u	/* four times what a tick may take */

/*
 * Starts the timer of the process.  Reclaims dead threads if it is refused:
 * only threads that still exist can forbid it.
 */
static int
arm_process_timer(void)
{
	int ret;

	for (int i = 0; (ret = cpu_timer_arm_process()) == -EBUSY &&
	    i < YIELDS_MOST; i++)
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
	if (ret != -ENOTSUP)
		return ret;
	thread_slot_reclaim();
	return cpu_timer_arm_process();
}

/*
 * Returns whether libmon may use ITIMER_PROF: it sends the tick's signal, and
 * is not running.
 */
static bool
is_itimer_free(void)
{
	struct itimerval now;

	/*
	 * This timer sends no other signal than SIGPROF, which kills if its
	 * action is not libmon's.
	 */
	return atomic_load(&virtual_signals.signal) == SIGPROF &&
	    SYS(getitimer, ITIMER_PROF, &now, 0, 0, 0, 0) == 0 &&
	    now.it_value.tv_sec == 0 && now.it_value.tv_usec == 0 &&
	    now.it_interval.tv_sec == 0 && now.it_interval.tv_usec == 0;
}

/*
 * Starts the timer of the process, if no thread has a timer of its own: the
 * time of such a thread would count twice.
 */
static bool
try_process_timer(void)
{
	return atomic_load(&mon->process_tier) ||
	    (atomic_load(&mon->timers) == 0 && is_itimer_free() &&
	    arm_process_timer() == 0);
}

/* Counts a thread without a clock as a loss, once. */
static void
count_clockless_thread(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (!s->clockless && !atomic_load(&s->stack.small))
		loss_count(LOSS_THREAD_CLOCK, 1);
	s->clockless = true;
}

STATE_START void
thread_clock_start(struct thread_slot *s)
{
	if (atomic_load(&s->stack.small) ||
	    (config.tier != CONFIG_TIER_PROCESS && cpu_timer_arm(s) == 0))
		return;
	if (try_process_timer()) {
		s->coarse_clock.kind = FORMAT_COARSE_PROCESS;
		return;
	}
	/* Any clock is better than none, even if another one was asked for. */
	if (config.tier != CONFIG_TIER_PROCESS || cpu_timer_arm(s) != 0)
		count_clockless_thread(s, NULL);
}

static void
start_live_clock(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) == THREAD_SLOT_LIVE)
		thread_clock_start(s);
}

/* Stops the clocks of any thread; takes its `busy` for the fine clock. */
static void
stop_thread_clock(struct thread_slot *s, void *arg)
{
	(void)arg;
	cpu_timer_stop(s);
	if (!thread_slot_lock(s))
		return;
	perf_clock_stop(s, FORMAT_FINE_NEVER);
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

void
thread_clock_stop_all(void)
{
	atomic_store(&mon->clockless, true);
	thread_slot_for_each(stop_thread_clock, NULL);
	cpu_timer_stop_process();
}

void
thread_clock_start_all(void)
{
	if (!atomic_exchange(&mon->clockless, false))
		return;
	thread_slot_reclaim();
	thread_slot_for_each(start_live_clock, NULL);
}

void
thread_clock_drop_itimer(void)
{
	cpu_timer_stop_process();
	thread_slot_reclaim();
	thread_slot_for_each(start_live_clock, NULL);
}

void
thread_clock_restart_itimer(void)
{
	if (arm_process_timer() != 0)
		thread_slot_for_each(count_clockless_thread, NULL);
}

/*
 * Returns whether the caller is on the thread's own stack and leaves room on
 * it.  Starting a clock takes some KiB, more than the stack of a coroutine or
 * of a signal handler may have left.
 */
static bool
has_stack_for_arming(const struct thread_slot *s)
{
	const uintptr_t sp = (uintptr_t)__builtin_frame_address(0);

	if (sp >= s->stack.high)
		return false;
	return s->stack.grows ? s->stack.high - sp < STACK_READ_GROWTH :
	    sp >= s->stack.low + STACK_ROOM;
}

void
thread_clock_before_sleep(void)
{
	struct thread_slot *s = thread_slot_self;
	sys_sigset before;

	if (s == NULL || s->sleep_check == 0 || !profiling_is_active() ||
	    !thread_slot_is_valid(s) || atomic_load(&mon->frozen) ||
	    atomic_load(&mon->clockless) ||
	    atomic_load(&s->coarse_clock.timer) == 0 || cpu_timer_is_idle() ||
	    s->tid != sys_gettid() || !has_stack_for_arming(s) ||
	    !clock_switch_is_missed(s))
		return;
	thread_slot_block_signals(&before);
	if (atomic_exchange(&s->busy, 1) == 0) {
		clock_switch_start(s);
		atomic_store_explicit(&s->busy, 0, memory_order_release);
	}
	s->sleep_check = clock_switch_may_start(s);
	thread_slot_restore_mask(&before);
}
