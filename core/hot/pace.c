/* Context: S.  How often a thread is switched: is a perf event worth it? */
#include "pace.h"

/* Switches in an interval of 4 ms, 10 us each: 2 %, and 10 if asked for. */
#define AUTO_SWITCHES	8
#define SWITCHES	40
#define CALM_TICKS	64		/* a quarter second */
/* Their mean over about eight intervals, in parts of MEAN_ONE. */
#define MEAN_TICKS	8
#define MEAN_ONE	256
#define MEAN_MOST	1000		/* of one: forgotten in 22 intervals */
#define SHARED_ON	(MEAN_ONE / 4)	/* one in 16 ms */
#define SHARED_OFF	(MEAN_ONE / 16)	/* one in 64 ms */

static bool
read_switches(uint64_t *n)
{
	struct rusage r;

	if (SYS(getrusage, RUSAGE_THREAD, &r, 0, 0, 0, 0) != 0)
		return false;
	*n = (uint64_t)r.ru_nvcsw + (uint64_t)r.ru_nivcsw;
	return true;
}

void
pace_begin(struct slot *s)
{
	read_switches(&s->switches);
}

/*
 * A perf event costs 10 us at each switch of its thread (a virtual machine,
 * whose timer is set anew): two threads that woke each other took five times as
 * much CPU time.
 */
bool
pace_is_calm(struct slot *s, uint64_t ns)
{
	bool automatic = atomic_load(&lineage.interval) == 0;
	uint64_t n, most = automatic ? AUTO_SWITCHES : SWITCHES;

	if (config.tier == CONFIG_TIER_PERF ||
	    !read_switches(&n))
		return true;
	n -= s->switches;
	s->switches += n;
	n = n * MEAN_ONE * s->coarse_ns / ns;
	if (n > MEAN_MOST * MEAN_ONE)
		n = MEAN_MOST * MEAN_ONE;
	s->mean_switches += n / MEAN_TICKS - s->mean_switches / MEAN_TICKS;
	if (s->mean_switches > most * MEAN_ONE)
		s->calm = 0;
	else
		s->calm++;
	return s->calm > 0;
}

/*
 * On a shared processor turns begin and end with the scheduler's tick, and the
 * coarse clock is that tick: of a server's 70 and 30 % it saw 34 and 66.
 */
bool
pace_is_shared(const struct slot *s)
{
	return s->mean_switches >=
	    (s->fine == FORMAT_FINE_ON ? SHARED_OFF : SHARED_ON);
}

bool
pace_is_calm_again(const struct slot *s)
{
	return s->calm >= CALM_TICKS;
}
