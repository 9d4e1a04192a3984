/*
 * Context: S.  Measures how often a thread is switched, and chooses the rate of
 * the fine clock that this allows, for tick_count.c and clock_switch.c, in the
 * thread itself.
 */
#include "clock/perf_rate.h"

#define CALM_TICKS	64		/* a quarter of a second */
/*
 * The mean number of switches over about MEAN_TICKS intervals, in units of
 * 1/MEAN_ONE.
 */
#define MEAN_TICKS	8
#define MEAN_ONE	256
/* limit of one interval: forgotten in 22 intervals */
#define MEAN_MOST	1000
#define SHARED_ON	(MEAN_ONE / 4)	/* one switch in 16 ms */
#define SHARED_OFF	(MEAN_ONE / 16)	/* one switch in 64 ms */
/* ns of CPU time after the last sleep in which a thread is a sleeper */
#define SLEEPER_NS	250000000u
/* 10 % instead of 2 % if a rate was asked for */
#define ASKED_FACTOR	5

/*
 * The most switches in an interval of 4 ms at each pace, which cost 2 % of it.
 * Each switch costs 10 us with a mean period of 1.08 ms, 5.5 us with four times
 * that, and 2.3 us with sixteen times that (measured with two threads that wake
 * each other by a pipe on one processor of a KVM guest).  The rest of a long
 * period ends after the scheduler's tick, so that the kernel need not set the
 * hardware's timer.
 */
static const unsigned most_switches[PERF_RATE_NONE] = {8, 16, 34};

/*
 * Reads how often the calling thread was switched, and how often it slept.
 * Returns false if the kernel refuses.
 */
static bool
read_switches(uint64_t *all, uint64_t *voluntary)
{
	struct rusage r;

	if (SYS(getrusage, RUSAGE_THREAD, &r, 0, 0, 0, 0) != 0)
		return false;
	*voluntary = (uint64_t)r.ru_nvcsw;
	*all = *voluntary + (uint64_t)r.ru_nivcsw;
	return true;
}

void
perf_rate_reset(struct thread_slot *s)
{
	read_switches(&s->rate.switches, &s->rate.sleeps);
}

/* Adds n switches in ns of CPU time to their mean. */
static void
add_switches_to_mean(struct thread_slot *s, uint64_t n, uint64_t ns)
{
	n = n * MEAN_ONE * s->coarse_clock.interval / ns;
	if (n > MEAN_MOST * MEAN_ONE)
		n = MEAN_MOST * MEAN_ONE;
	s->rate.mean_switches +=
	    n / MEAN_TICKS - s->rate.mean_switches / MEAN_TICKS;
}

/*
 * Returns the highest rate (enum perf_rate) that the mean of switches allows.
 */
static unsigned
allowed_perf_rate(const struct thread_slot *s)
{
	const bool automatic = atomic_load(&lineage.interval) == 0;
	const unsigned factor = MEAN_ONE * (automatic ? 1 : ASKED_FACTOR);
	unsigned pace = PERF_RATE_FULL;

	while (pace < PERF_RATE_NONE &&
	    s->rate.mean_switches > most_switches[pace] * factor)
		pace++;
	return pace;
}

/*
 * Sets a lower rate at once, and a higher one after it has been allowed for a
 * while.  Returns whether the rate has changed.
 */
static bool
change_perf_rate(struct thread_slot *s, unsigned allowed)
{
	if (allowed >= s->rate.pace)
		s->rate.calm = 0;
	else if (++s->rate.calm < CALM_TICKS)
		return false;
	if (allowed == s->rate.pace)
		return false;
	s->rate.pace = allowed;
	s->rate.calm = 0;
	return true;
}

bool
perf_rate_update(struct thread_slot *s, uint64_t ns)
{
	uint64_t all, voluntary;

	if (!read_switches(&all, &voluntary))
		return false;
	s->rate.slept = voluntary != s->rate.sleeps;
	if (s->rate.slept)
		s->rate.slept_cpu = s->cpu.ns;
	add_switches_to_mean(s, all - s->rate.switches, ns);
	s->rate.switches = all;
	s->rate.sleeps = voluntary;
	return config.tier != CONFIG_TIER_PERF &&
	    change_perf_rate(s, allowed_perf_rate(s));
}

/*
 * On a shared processor a thread's turns begin and end with the scheduler's
 * tick, which is the coarse clock: that clock saw the 70 and 30 % of a server
 * as 34 and 66 %.  A thread that sleeps until a timer wakes it begins its work
 * at the same time after that tick again and again.
 */
bool
perf_rate_needs_event(const struct thread_slot *s)
{
	if (s->rate.slept_cpu != 0 &&
	    s->cpu.ns - s->rate.slept_cpu < SLEEPER_NS)
		return true;
	return s->rate.mean_switches >=
	    (s->fine_clock.state == FORMAT_FINE_ON ? SHARED_OFF : SHARED_ON);
}
