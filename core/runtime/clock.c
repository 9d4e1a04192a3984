/* Context: T.  Which coarse clock a thread gets. */
#include "clock.h"

#include "clockswitch.h"
#include "coarse.h"
#include "fine.h"
#include "histogram.h"
#include "memory.h"
#include "sigview.h"
#include "slot.h"
#include "start.h"
#include "writers.h"

#define TURNS	1000	/* to wait for another thread that decides */
#define STACK_ROOM	16384u	/* four times what a tick may take */

/* Only threads that are still there can forbid it. */
static int
start_process(void)
{
	int ret, i;

	for (i = 0; (ret = coarse_arm_process()) == -EBUSY && i < TURNS; i++)
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
	if (ret != -ENOTSUP)
		return ret;
	slot_reclaim();
	return coarse_arm_process();
}

/* Beside thread timers it would count their time twice. */
static bool
has_process_timer(void)
{
	return atomic_load(&mon->process_tier) ||
	    (atomic_load(&mon->timers) == 0 && sigview_may_use_itimer() &&
	    start_process() == 0);
}

static void
count_clockless(struct slot *s, void *arg)
{
	(void)arg;
	if (!s->clockless && !atomic_load(&s->stack_small))
		loss_count(LOSS_THREAD_CLOCK, 1);
	s->clockless = true;
}

STATE_START void
clock_start(struct slot *s)
{
	if (atomic_load(&s->stack_small) ||
	    (config.tier != CONFIG_TIER_PROCESS && coarse_arm(s) == 0))
		return;
	if (has_process_timer()) {
		s->coarse = FORMAT_COARSE_PROCESS;
		return;
	}
	/* Rather another clock than was asked for than none. */
	if (config.tier != CONFIG_TIER_PROCESS || coarse_arm(s) != 0)
		count_clockless(s, NULL);
}

static void
start_live(struct slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) == SLOT_LIVE)
		clock_start(s);
}

static void
stop_one(struct slot *s, void *arg)
{
	(void)arg;
	coarse_stop(s);
	if (!slot_hold(s))
		return;
	fine_stop(s, FORMAT_FINE_NEVER);
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

void
clock_stop_all(void)
{
	atomic_store(&mon->clockless, true);
	slot_each(stop_one, NULL);
	coarse_stop_process();
}

void
clock_start_all(void)
{
	if (!atomic_exchange(&mon->clockless, false))
		return;
	slot_reclaim();
	slot_each(start_live, NULL);
}

STATE_START bool
clock_is_wanted(void)
{
	return !config.linked || histogram_in_use() || writers_have_gmon();
}

void
clock_use(void)
{
	if (!config.linked || atomic_load(&mon->frozen))
		return;
	if (!clock_is_wanted())
		clock_stop_all();
	/* Another thread may have begun in between. */
	if (clock_is_wanted())
		clock_start_all();
}

void
clock_leave_process(void)
{
	coarse_stop_process();
	slot_reclaim();
	slot_each(start_live, NULL);
}

void
clock_restart_process(void)
{
	if (start_process() != 0)
		slot_each(count_clockless, NULL);
}

/*
 * Returns whether the caller is on the thread's own stack and leaves room on
 * it.  Arming a clock takes some KiB, more than the stack of a coroutine or of
 * a signal may have left.
 */
static bool
has_room(const struct slot *s)
{
	const uintptr_t sp = (uintptr_t)__builtin_frame_address(0);

	if (sp >= s->stack_high)
		return false;
	return s->stack_grows ? s->stack_high - sp < MEMORY_GROWS :
	    sp >= s->stack_low + STACK_ROOM;
}

void
clock_before_sleep(void)
{
	struct slot *s = slot_self;
	sys_sigset before;

	if (s == NULL || s->watched == 0 || !start_active() || !slot_valid(s) ||
	    atomic_load(&mon->frozen) || atomic_load(&mon->clockless) ||
	    atomic_load(&s->timer) == 0 || coarse_is_idle() ||
	    s->tid != sys_gettid() || !has_room(s) ||
	    !clockswitch_is_missed(s))
		return;
	slot_shut(&before);
	if (atomic_exchange(&s->busy, 1) == 0) {
		clockswitch_begin(s);
		atomic_store_explicit(&s->busy, 0, memory_order_release);
	}
	s->watched = clockswitch_watches(s);
	slot_unshut(&before);
}
