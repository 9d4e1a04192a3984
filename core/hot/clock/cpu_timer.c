/*
 * Context: S.  The coarse clock: timers on CPU time, which expire at the
 * scheduler's tick; starts of threads, scans, ticks and orders set them, seals,
 * execs and freezes stop them; doc/design/clocks.md.
 */
#include "clock/cpu_timer.h"

#include "base/store_header.h"
#include "base/str.h"
#include "clock/clock_period.h"
#include "count/histogram.h"
#include "store/store.h"
#include "thread/thread_slot_each.h"

#define TIMER_PART	4		/* we use 1/4 of RLIMIT_SIGPENDING */
/* ends the wait: this handler may have interrupted the thread waited for */
#define STOP_TURNS	1000
#define IDLE_NS		100000000u	/* a tick costs 5 us: 0.005 % */

/*
 * Returns the clock id of a thread's CPU time, as the kernel encodes it in its
 * posix-timers.h.
 */
STATE_START static int
thread_cpu_clock_id(int tid, bool user_only)
{
	return (int)(~(unsigned)tid << 3) | 4 | (user_only ? 1 : 2);
}

uint64_t
cpu_timer_thread_time(int tid)
{
	return sys_clock(thread_cpu_clock_id(tid, false));
}

STATE_START bool
cpu_timer_is_idle(void)
{
	return lineage_is_paused(LINEAGE_UNTIMED) && !histogram_in_use();
}

/*
 * Returns the interval of the coarse clock, ns.  It is the scheduler's tick,
 * unless there is no fine clock and a longer interval was asked for.
 */
STATE_START static uint64_t
choose_timer_interval(void)
{
	uint64_t asked = atomic_load_explicit(&lineage.interval,
	    memory_order_relaxed);

	if (cpu_timer_is_idle())
		return IDLE_NS;
	return clock_period_full() == 0 && asked > config.tick_ns ? asked :
	    config.tick_ns;
}

/*
 * Returns the time, in ns, to the first expiry of the timer of s.  If the
 * interval is the scheduler's tick, the timer expires at once, because a short
 * thread is then seen in proportion to its CPU time.  If the interval is
 * longer, the first expiry comes after a random part of it: otherwise each
 * short thread would count a whole interval.
 */
STATE_START static uint64_t
first_expiry(const struct thread_slot *s, uint64_t interval)
{
	uint64_t part;

	/*
	 * A stopped fork child has no file yet in which a tool could give it an
	 * order, so its first tick must come soon.
	 */
	if (interval <= config.tick_ns ||
	    (cpu_timer_is_idle() && store_header() == NULL))
		return 1;
	part = (uint64_t)s->tid * 0x9e3779b97f4a7c15u ^
	    sys_clock(CLOCK_MONOTONIC) * 0x9e3779b97f4a7c15u;
	part = (part >> 32) * (interval >> 10) >> 22;
	/*
	 * The timer expires in the scheduler's tick after its time, on average
	 * half a tick later.
	 */
	return part > config.tick_ns / 2 ? part - config.tick_ns / 2 : 1;
}

/*
 * Makes a timer that does not run yet on the CPU time of thread s->tid.  *id:
 * the kernel's number of it.  Returns 0 or -errno.
 */
STATE_START static int
create_timer(struct thread_slot *s, bool user_only, int *id)
{
	struct sigevent ev;

	mem_zero(&ev, sizeof(ev));	/* {0} calls memset on arm64 */
	ev.sigev_notify = SIGEV_THREAD_ID;
	ev.sigev_signo = atomic_load(&virtual_signals.signal);
	ev.sigev_value.sival_ptr = s;
	ev._sigev_un._tid = s->tid;
	return (int)SYS(timer_create, thread_cpu_clock_id(s->tid, user_only),
	    &ev, id, 0, 0, 0);
}

/*
 * Returns whether another timer would take too many of the signals that the
 * user may have queued at once; each timer takes one.  The first timer may
 * always be had, so a start makes no system call here.
 */
STATE_START static bool
too_many_timers(void)
{
	struct rlimit r;

	return atomic_load(&mon->timers) != 0 &&
	    SYS(prlimit64, 0, RLIMIT_SIGPENDING, NULL, &r, 0, 0) == 0 &&
	    (uint64_t)atomic_load(&mon->timers) >= r.rlim_cur / TIMER_PART;
}

/*
 * Makes the timer `id`, which does not run yet, that of s.  Returns false if
 * another thread was quicker, or if the thread of s has taken an alternate
 * stack that is too small; the timer is deleted then.  The thread sets
 * stack.small before it looks for a timer, so either it finds this timer or
 * this function sees stack.small.
 */
STATE_START static bool
publish_timer(struct thread_slot *s, int id)
{
	int none = 0;

	atomic_fetch_add(&mon->timers, 1);
	if (!atomic_compare_exchange_strong(&s->coarse_clock.timer, &none,
	    id + 1)) {
		SYS(timer_delete, id, 0, 0, 0, 0, 0);
		atomic_fetch_sub(&mon->timers, 1);
		return false;
	}
	if (!atomic_load(&s->stack.small))
		return true;
	cpu_timer_stop(s);
	return false;
}

STATE_START static int
set_timer(const struct thread_slot *s, int id, uint64_t interval)
{
	struct itimerspec when = { 0 };

	when.it_value = sys_timespec_of_ns(first_expiry(s, interval));
	when.it_interval = sys_timespec_of_ns(interval);
	return (int)SYS(timer_settime, id, 0, &when, NULL, 0, 0);
}

STATE_START int
cpu_timer_arm(struct thread_slot *s)
{
	int id = 0, ret;

	if (!atomic_load(&mon->running) || atomic_load(&mon->clockless))
		return 0;
	cpu_timer_renew_interval(s);
	ret = too_many_timers() ? -EAGAIN :
	    create_timer(s, !config.task_work, &id);
	if (ret != 0) {
		s->coarse_clock.kind = FORMAT_COARSE_NONE;
		s->coarse_clock.error = -ret;
		return ret;
	}
	s->coarse_clock.kind = config.task_work ? FORMAT_COARSE_CPU :
	    FORMAT_COARSE_USER;
	if (!publish_timer(s, id))
		return 0;
	ret = set_timer(s, id, s->coarse_clock.interval);
	if (ret != 0 && atomic_load(&s->stack.small))
		/* the timer has been deleted */
		return 0;
	if (ret == 0) {
		/*
		 * A thread that has just changed all intervals may have passed
		 * this timer before it was published.  Its first tick sees that
		 * the epoch is an old one.
		 */
		if (s->coarse_clock.epoch != atomic_load(&mon->epoch))
			set_timer(s, id, choose_timer_interval());
	} else {
		cpu_timer_stop(s);
		s->coarse_clock.kind = FORMAT_COARSE_NONE;
		s->coarse_clock.error = -ret;
	}
	return ret;
}

void
cpu_timer_stop(struct thread_slot *s)
{
	int id = atomic_exchange(&s->coarse_clock.timer, 0);

	if (id == 0)
		return;
	SYS(timer_delete, id - 1, 0, 0, 0, 0, 0);
	atomic_fetch_sub(&mon->timers, 1);
}

STATE_START void
cpu_timer_renew_interval(struct thread_slot *s)
{
	s->coarse_clock.epoch = atomic_load(&mon->epoch);
	s->coarse_clock.interval = s->coarse_clock.due =
	    choose_timer_interval();
}

static int
set_process_timer(uint64_t ns)
{
	struct itimerval v;

	v.it_interval.tv_sec = (time_t)(ns / 1000000000u);
	v.it_interval.tv_usec = (suseconds_t)(ns % 1000000000u / 1000);
	v.it_value = v.it_interval;
	return (int)SYS(setitimer, ITIMER_PROF, &v, NULL, 0, 0, 0);
}

/* The flag is set before the timer, because a tick checks it. */
static int
start_process_timer(void)
{
	int ret;

	atomic_store(&mon->process_seen, sys_clock(CLOCK_PROCESS_CPUTIME_ID));
	atomic_store(&mon->process_tier, true);
	ret = set_process_timer(choose_timer_interval());
	if (ret != 0)
		atomic_store(&mon->process_tier, false);
	return ret;
}

int
cpu_timer_arm_process(void)
{
	int ret = 0;

	if (!atomic_load(&mon->running) || atomic_load(&mon->clockless))
		return 0;
	if (atomic_exchange(&mon->arming, true))
		return -EBUSY;
	/*
	 * A thread that takes a small stack first increments small_stacks and
	 * then reads `arming`.
	 */
	if (atomic_load(&mon->small_stacks) != 0)
		ret = -ENOTSUP;
	else if (!atomic_load(&mon->process_tier))
		ret = start_process_timer();
	atomic_store(&mon->arming, false);
	return ret;
}

void
cpu_timer_stop_process(void)
{
	bool waited;

	if (!mon->process_tier)
		return;
	/*
	 * A thread that starts the timer at this moment would leave it running
	 * unnoticed.
	 */
	for (int i = 0; (waited = atomic_exchange(&mon->arming, true)) &&
	    i < STOP_TURNS; i++)
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
	atomic_store(&mon->stragglers, 1);
	set_process_timer(0);
	atomic_store(&mon->process_tier, false);
	if (!waited)
		atomic_store(&mon->arming, false);
}

static void
apply_timer_interval(struct thread_slot *s, void *interval)
{
	int id = atomic_load(&s->coarse_clock.timer);

	if (id != 0)
		set_timer(s, id - 1, *(const uint64_t *)interval);
}

/*
 * Gives the process clock another interval, if it runs.  Does nothing while
 * another thread has `arming`: that thread may be about to start the timer,
 * with the interval that holds, or about to give it up.  A timer set after that
 * would be the program's, and its signal would kill the program.
 */
static void
apply_process_interval(uint64_t interval)
{
	if (atomic_exchange(&mon->arming, true))
		return;
	if (mon->process_tier) {
		atomic_store(&mon->process_seen,
		    sys_clock(CLOCK_PROCESS_CPUTIME_ID));
		set_process_timer(interval);
	}
	atomic_store(&mon->arming, false);
}

void
cpu_timer_apply_interval(void)
{
	uint64_t interval;

	atomic_fetch_add(&mon->epoch, 1);
	interval = choose_timer_interval();
	thread_slot_for_each(apply_timer_interval, &interval);
	apply_process_interval(interval);
}
