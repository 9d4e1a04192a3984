/*
 * Context: S.  The two clocks of a thread; doc/internals.md, section 4.
 *
 * No descriptor is held: a perf event lives on as long as its ring is mapped.
 */
#include "clock.h"

#include "aside.h"
#include "ring.h"
#include "str.h"

#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#define AUTO_PERIOD	1083700u	/* 1.08 ms +-5 %: no step with 1 ms */
#define AUTO_BUDGET	2000000000u	/* 2 s of a thread's CPU in detail */
#define SKEW_UNIT	1000
#define AUTO_SKEW_LEAST	10		/* thousandths: a beat ends in 100 */
#define AUTO_SKEW_MOST	50
#define SKEW_LEAST	40		/* asked rates are round, as loops: */
#define SKEW_MOST	120		/* a beat at 250 Hz ends in 0.1 s */
#define REARM_NS	250000000u	/* 100 us each: 0.04 % */
#define KERNEL_PAGES	8	/* 2,048 records: 2 s of the kernel at 1 kHz */
#define TIMER_PART	4		/* of RLIMIT_SIGPENDING 1/4 is ours */
#define REFUSALS	8		/* in a row: then no more is asked */

uint64_t
config_period(void)
{
	if (config.tier == CONFIG_TIER_TIMER ||
	    config.tier == CONFIG_TIER_PROCESS)
		return 0;
	return config.hz == 0 ? AUTO_PERIOD : 1000000000u / config.hz;
}

uint64_t
config_budget(void)
{
	return config.hz == 0 && config.tier != CONFIG_TIER_PERF ?
	    AUTO_BUDGET : 0;
}

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
clock_arm_coarse(struct slot *s)
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
		clock_stop_coarse(s);
		s->coarse = FORMAT_COARSE_NONE;
		s->coarse_errno = -ret;
	}
	return ret;
}

void
clock_stop_coarse(struct slot *s)
{
	int id = atomic_exchange(&s->timer, 0);

	if (id == 0)
		return;
	SYS(timer_delete, id - 1, 0, 0, 0, 0, 0);
	atomic_fetch_sub(&mon->timers, 1);
}

static uint64_t
draw(struct slot *s)
{
	uint64_t x = s->random;

	if (x == 0)
		x = (uint64_t)s->tid * 0x9e3779b97f4a7c15u ^
		    (uint64_t)(uintptr_t)s ^ sys_clock(CLOCK_MONOTONIC);
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	s->random = x;
	return x;
}

/*
 * The rate is d higher, then d lower: the mean over a pair is exact.  Never
 * near 0: a program's loop of the asked period would be seen at one place only.
 */
static void
choose_period(struct slot *s)
{
	int64_t least = config.hz == 0 ? AUTO_SKEW_LEAST : SKEW_LEAST;
	int64_t most = config.hz == 0 ? AUTO_SKEW_MOST : SKEW_MOST;
	uint64_t span = (uint64_t)(most - least + 1);

	if (s->skew > 0)
		s->skew = -s->skew;
	else
		s->skew = least + (int64_t)(draw(s) % span);
	s->period = config_period() * SKEW_UNIT /
	    (uint64_t)(SKEW_UNIT + s->skew);
}

static int
open_event(const struct slot *s, bool kernel)
{
	struct perf_event_attr a;
	int fd;

	mem_zero(&a, sizeof a);	/* as above */
	a.size = sizeof a;
	a.type = PERF_TYPE_SOFTWARE;
	a.config = PERF_COUNT_SW_CPU_CLOCK;
	a.sample_period = s->period;
	a.sample_type = PERF_SAMPLE_IP;
	a.disabled = 1;
	a.exclude_kernel = !kernel;
	a.exclude_user = kernel;
	a.exclude_hv = 1;
	a.wakeup_events = 1;
	a.remove_on_exec = 1;
	fd = (int)SYS(perf_event_open, &a, s->tid, -1, -1,
	    PERF_FLAG_FD_CLOEXEC, 0);
	if (fd == -EINVAL || fd == -E2BIG) {
		a.remove_on_exec = 0;	/* before Linux 5.13 */
		fd = (int)SYS(perf_event_open, &a, s->tid, -1, -1,
		    PERF_FLAG_FD_CLOEXEC, 0);
	}
	return fd;
}

static int
aim(const struct slot *s, int fd)
{
	struct f_owner_ex owner = {F_OWNER_TID, s->tid};
	int sig = atomic_load(&view.signal);
	long ret;

	ret = SYS(fcntl, fd, F_SETSIG, sig, 0, 0, 0);
	if (ret == 0)
		ret = SYS(fcntl, fd, F_SETOWN_EX, &owner, 0, 0, 0);
	if (ret == 0)
		ret = SYS(fcntl, fd, F_SETFL, O_ASYNC | O_NONBLOCK, 0, 0, 0);
	return (int)ret;
}

static int
enable(int fd)
{
	return (int)SYS(ioctl, fd, PERF_EVENT_IOC_ENABLE, 0, 0, 0, 0);
}

/* A data page costs locked memory, of which a user has little: then without. */
static bool
map_fine(struct slot *s, int fd)
{
	if (!atomic_load(&mon->no_pages) && ring_map(&s->ring, fd, 1))
		return true;
	if (!ring_map(&s->ring, fd, 0))
		return false;
	atomic_store(&mon->no_pages, true);
	return true;
}

static int
start_fine(struct slot *s)
{
	int fd, ret;

	fd = open_event(s, false);
	if (fd < 0)
		return fd;
	s->fine_fd = fd + 1;
	ret = map_fine(s, fd) ? aim(s, fd) : -EPERM;
	if (ret == 0)
		ret = enable(fd);
	sys_close(fd);
	if (ret != 0)
		ring_unmap(&s->ring);
	return ret;
}

/* Kernel functions: no signal, so no call is interrupted by one. */
static int
start_kernel(struct slot *s)
{
	int fd, ret;

	fd = open_event(s, true);
	if (fd < 0)
		return fd;
	ret = ring_map(&s->kernel, fd, KERNEL_PAGES) ? enable(fd) : -EPERM;
	sys_close(fd);
	if (ret != 0)
		ring_unmap(&s->kernel);
	return ret;
}

static int
start_both(void *slot)
{
	struct slot *s = slot;
	int ret = start_fine(s);

	if (ret == 0 && config.kernel)
		s->kernel_errno = -start_kernel(s);
	return ret;
}

static bool
fine_wanted(const struct slot *s)
{
	return s->native && (s->fine == FORMAT_FINE_NEVER ||
	    s->fine == FORMAT_FINE_SWITCHING) && config_period() != 0 &&
	    !atomic_load(&mon->frozen) &&
	    atomic_load(&mon->fine_refused) < REFUSALS;
}

/*
 * Of a filter that came over exec, or by a raw call, nothing is known, and
 * perf_event_open is on few lists of what is allowed: a service manager's kills
 * for it.
 */
static bool
under_filter(void)
{
	return config.tier != CONFIG_TIER_PERF &&
	    SYS(prctl, PR_GET_SECCOMP, 0, 0, 0, 0, 0) == SECCOMP_MODE_FILTER;
}

void
clock_arm_fine(struct slot *s)
{
	int ret, none = 0;

	if (!fine_wanted(s))
		return;
	if (under_filter()) {
		s->fine = FORMAT_FINE_SECCOMP;
		return;
	}
	choose_period(s);
	ret = aside(start_both, s);
	if (ret == 0) {
		s->fine = FORMAT_FINE_ON;
		s->fine_errno = 0;
		s->rearm_ns = 0;
		atomic_store(&mon->fine_refused, 0);
		return;
	}
	s->fine = FORMAT_FINE_REFUSED;
	s->fine_errno = -ret;
	atomic_fetch_add(&mon->fine_refused, 1);
	atomic_compare_exchange_strong(&mon->fine_errno, &none, -ret);
}

void
clock_stop_fine(struct slot *s, unsigned next)
{
	if (s->fine != FORMAT_FINE_ON)
		return;
	ring_unmap(&s->ring);
	ring_unmap(&s->kernel);
	s->fine = next;
	s->alone_from = s->cpu_ns;
	s->alone_ns = 0;
}

bool
clock_is_spent(const struct slot *s)
{
	uint64_t budget = config_budget();

	/* Kernel time too: the timer interrupts that as well. */
	return budget != 0 && (s->fine_ns >= budget || (s->fine_from != 0 &&
	    s->cpu_ns - s->fine_from >= budget));
}

bool
clock_turn_due(const struct slot *s)
{
	return s->fine == FORMAT_FINE_ON &&
	    s->fine_ns - s->rearm_ns >= REARM_NS &&
	    !atomic_load_explicit(&mon->frozen, memory_order_relaxed);
}

void
clock_turn_fine(struct slot *s)
{
	clock_stop_fine(s, FORMAT_FINE_NEVER);
	clock_arm_fine(s);
	s->rearm_ns = s->fine_ns;
}

void
clock_stop(struct slot *s)
{
	clock_stop_coarse(s);
	clock_stop_fine(s, FORMAT_FINE_DONE);
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
clock_arm_process(void)
{
	int ret;

	atomic_store(&mon->process_seen, sys_clock(CLOCK_PROCESS_CPUTIME_ID));
	ret = set_process_timer(coarse_interval());
	mon->process_tier = ret == 0;
	return ret;
}

void
clock_stop_process(void)
{
	if (!mon->process_tier)
		return;
	mon->process_tier = false;
	atomic_store(&mon->stragglers, 1);
	set_process_timer(0);
}
