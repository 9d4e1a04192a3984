/*
 * Context: S.  Delays ticks to where no interval timer of the program expires,
 * for tick_count.c; doc/design/clocks.md.
 */
#include "clock/itimer_avoid.h"

/* a tick comes less than so many of the scheduler's ticks late */
#define AVOID_TICKS_MOST	8
/* and at most 1/8 of the thread's CPU time late */
#define AVOID_CPU_SHARE	8

static uint64_t
itimer_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000;
}

/* Returns how often the timer expires within `within` ns from now. */
static uint64_t
count_expiries(const struct itimerval *v, uint64_t within)
{
	uint64_t left = itimer_ns(&v->it_value);
	uint64_t every = itimer_ns(&v->it_interval);

	if (left == 0 || left > within)
		return 0;
	return 1 + (every == 0 ? 0 : (within - left) / every);
}

/* Returns whether the timer expires in the nth step of `step` ns from now. */
static bool
expires_at(const struct itimerval *v, unsigned n, uint64_t step)
{
	return count_expiries(v, n * step) != count_expiries(v, (n - 1) * step);
}

unsigned
itimer_avoid_find_quiet(const struct itimerval v[2], unsigned least,
    unsigned most, uint64_t step)
{
	unsigned n;

	for (n = least; n < most; n++) {
		if (!expires_at(&v[0], n, step) && !expires_at(&v[1], n, step))
			break;
	}
	return n;
}

static bool
read_itimers(struct itimerval v[2])
{
	return SYS(getitimer, ITIMER_VIRTUAL, &v[0], 0, 0, 0, 0) == 0 &&
	    SYS(getitimer, ITIMER_PROF, &v[1], 0, 0, 0, 0) == 0 &&
	    itimer_ns(&v[0].it_value) + itimer_ns(&v[1].it_value) != 0;
}

void
itimer_avoid_poll(void)
{
	struct itimerval v[2];

	if (atomic_load(&mon->live) > 1 && !mon->process_tier)
		atomic_store(&mon->itimers, read_itimers(v));
}

/*
 * Returns how many of the scheduler's ticks the next coarse tick may come after
 * this one.  The CPU time of a thread since its last tick is lost if it ends,
 * so a young thread may be delayed less.
 */
static unsigned
avoid_ticks_limit(const struct thread_slot *s, unsigned least)
{
	uint64_t n =
	    (s->cpu.ns - s->cpu.start) / config.tick_ns / AVOID_CPU_SHARE;

	return least + (unsigned)(n < AVOID_TICKS_MOST ? n :
	    AVOID_TICKS_MOST - 1);
}

void
itimer_avoid_delay_tick(struct thread_slot *s, uint64_t step)
{
	struct itimerspec when = { 0 };
	unsigned n, least =
	    (unsigned)(s->coarse_clock.interval / config.tick_ns);
	int id = atomic_load(&s->coarse_clock.timer);
	struct itimerval v[2];

	if (atomic_load(&mon->live) < 2 || id == 0 || !read_itimers(v))
		return;
	n = itimer_avoid_find_quiet(v, least, avoid_ticks_limit(s, least),
	    step > config.tick_ns ? step : config.tick_ns);
	if (n == 1)
		return;
	/* The middle between two of the scheduler's ticks. */
	when.it_value =
	    sys_timespec_of_ns(n * config.tick_ns - config.tick_ns / 2);
	when.it_interval = sys_timespec_of_ns(s->coarse_clock.interval);
	if (SYS(timer_settime, id - 1, 0, &when, NULL, 0, 0) == 0)
		s->coarse_clock.due = n * config.tick_ns;
}
