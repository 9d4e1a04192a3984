/*
 * Context: S.  The coarse clock: timers on CPU time, at the scheduler's tick;
 * doc/internals.md, section 4.
 */
#include "coarse.h"

#include "str.h"

#define TIMER_PART	4		/* of RLIMIT_SIGPENDING 1/4 is ours */

/* A thread's CPU clock as the kernel encodes it (its posix-timers.h). */
static int
thread_clock(int tid, bool user_only)
{
	return (int)(~(unsigned)tid << 3) | 4 | (user_only ? 1 : 2);
}

/* A thread timer slower than the scheduler's tick, when that was asked for. */
static uint64_t
coarse_interval(void)
{
	uint64_t asked = config.hz == 0 ? 0 : 1000000000u / config.hz;

	return config_period() == 0 && asked > config.tick_ns ? asked :
	    config.tick_ns;
}

static int
create_timer(struct slot *s, bool user_only, int *id)
{
	struct sigevent ev;

	mem_zero(&ev, sizeof ev);	/* {0} calls memset on arm64 */
	ev.sigev_notify = SIGEV_THREAD_ID;
	ev.sigev_signo = atomic_load(&view.signal);
	ev.sigev_value.sival_ptr = s;
	ev._sigev_un._tid = s->tid;
	return (int)SYS(timer_create, thread_clock(s->tid, user_only), &ev,
	    id, 0, 0, 0);
}

/* Each timer takes one of the signals that the user may have queued at once. */
static bool
too_many_timers(void)
{
	struct rlimit r;

	return SYS(prlimit64, 0, RLIMIT_SIGPENDING, NULL, &r, 0, 0) == 0 &&
	    (uint64_t)atomic_load(&mon->timers) >= r.rlim_cur / TIMER_PART;
}

int
coarse_arm(struct slot *s)
{
	struct itimerspec when = {0};
	int id = 0, ret;

	s->coarse_ns = coarse_interval();
	ret = too_many_timers() ? -EAGAIN :
	    create_timer(s, !config.task_work, &id);
	if (ret != 0) {
		s->coarse = FORMAT_COARSE_NONE;
		s->coarse_errno = -ret;
		return ret;
	}
	s->coarse = config.task_work ? FORMAT_COARSE_CPU : FORMAT_COARSE_USER;
	atomic_store(&s->timer, id + 1);
	atomic_fetch_add(&mon->timers, 1);
	/* At once: a short thread is seen in proportion to its CPU time. */
	when.it_value.tv_nsec = 1;
	when.it_interval.tv_sec = (time_t)(s->coarse_ns / 1000000000u);
	when.it_interval.tv_nsec = (long)(s->coarse_ns % 1000000000u);
	ret = (int)SYS(timer_settime, id, 0, &when, NULL, 0, 0);
	if (ret != 0) {
		coarse_stop(s);
		s->coarse = FORMAT_COARSE_NONE;
		s->coarse_errno = -ret;
	}
	return ret;
}

void
coarse_stop(struct slot *s)
{
	int id = atomic_exchange(&s->timer, 0);

	if (id == 0)
		return;
	SYS(timer_delete, id - 1, 0, 0, 0, 0, 0);
	atomic_fetch_sub(&mon->timers, 1);
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

int
coarse_arm_process(void)
{
	int ret;

	atomic_store(&mon->process_seen, sys_clock(CLOCK_PROCESS_CPUTIME_ID));
	ret = set_process_timer(coarse_interval());
	mon->process_tier = ret == 0;
	return ret;
}

void
coarse_stop_process(void)
{
	if (!mon->process_tier)
		return;
	mon->process_tier = false;
	atomic_store(&mon->stragglers, 1);
	set_process_timer(0);
}
