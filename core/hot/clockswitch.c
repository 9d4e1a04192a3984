/*
 * Context: S.  When the fine clock of a thread goes on and off, and how much of
 * its time the one clock has counted when the other takes over.
 */
#include "clockswitch.h"

#include "fine.h"
#include "pace.h"
#include "record.h"

/*
 * The coarse clock counts a whole interval at a thread's first tick, whenever
 * that is, and so is half an interval ahead on average, which the thread's end
 * makes up for.  The fine clock loses half a period there, and is left as much;
 * what else is counted already it passes over (64 threads of 46 ms had 4 points
 * too much at their start, and 60 of 20 ms, with nothing left, 3.5 % too few).
 */
static void
hand_to_fine(struct slot *s)
{
	uint64_t passed = s->cpu_ns - s->alone_from;

	s->ahead = s->alone_ns > passed ? s->alone_ns - passed : 0;
	if (s->ahead > s->coarse_ns)
		s->ahead = s->coarse_ns;
	s->credit = config_period() / 2;
	if (s->credit > s->ahead)
		s->credit = s->ahead;
	s->ahead -= s->credit;
	s->fine_base = s->cpu_ns - s->fine_ns + s->ahead;
	if (s->fine_from == 0)
		s->fine_from = s->cpu_ns;
	fine_arm(s);
}

/* At its second tick a thread has run for 20 times as long as arming takes. */
static bool
is_busy(const struct slot *s, bool first)
{
	if (fine_is_spent(s) && !pace_is_shared(s))
		return false;
	if (s->fine == FORMAT_FINE_SWITCHING)
		return pace_is_calm_again(s);
	return !first || s->cpu_ns - s->cpu_start >= s->coarse_ns;
}

/*
 * Off.  What has passed of a period is in no ring: half of one, less what was
 * left for it, as far as there was CPU time.
 */
static void
end_fine(struct slot *s, uintptr_t pc, enum format_fine next)
{
	uint64_t half = s->period / 2;
	uint64_t most, rest = half > s->credit ? half - s->credit : 0;

	s->credit = 0;
	fine_stop(s, next);
	most = s->cpu_ns > s->fine_base ? s->cpu_ns - s->fine_base : 0;
	most = most > s->fine_ns ? most - s->fine_ns : 0;
	if (rest > most)
		rest = most;
	if (rest != 0)
		record_tick(s, pc, RECORD_EITHER, 1, rest);
}

/* Will the thread never have a fine clock (again)? */
static bool
is_settled(const struct slot *s)
{
	return s->fine == FORMAT_FINE_REFUSED ||
	    s->fine == FORMAT_FINE_SECCOMP || config_period() == 0;
}

void
clockswitch_look(struct slot *s, uintptr_t pc, uint64_t ns, bool first)
{
	bool calm;

	if (is_settled(s))
		return;
	calm = pace_is_calm(s, ns);
	if (s->fine != FORMAT_FINE_ON) {
		if (calm && is_busy(s, first))
			hand_to_fine(s);
		return;
	}
	fine_settle(s);
	if (atomic_exchange(&s->renew, false))
		end_fine(s, pc, FORMAT_FINE_NEVER);
	else if (!calm)
		end_fine(s, pc, FORMAT_FINE_SWITCHING);
	else if (fine_is_spent(s) && !pace_is_shared(s))
		end_fine(s, pc, FORMAT_FINE_DONE);
}
