/*
 * Context: S.  Switches the fine clock (perf_clock.c) of a thread on and off,
 * so that no CPU time is counted twice or lost when one clock takes over from
 * the other.  For coarse ticks (tick_count.c) and the hooks of functions that
 * sleep (thread_clock.c).  Always in the thread of s, whose caller holds `busy`
 * where it switches.
 */
#include "clock/clock_switch.h"

#include "clock/clock_period.h"
#include "clock/perf_clock.h"
#include "clock/perf_rate.h"

/*
 * Switches the fine clock on.  s->cpu.ns is up to date.
 *
 * A thread's first coarse tick counts a whole interval, wherever in the
 * interval it comes.  So the coarse clock is half an interval ahead on average;
 * at the thread's end it is half an interval behind.  The fine clock loses half
 * a period at the thread's end and gets that much as credit now.  It skips the
 * rest of the time that is already counted.  (Without the skip, the start of 64
 * threads of 46 ms had 4 points too much; without the credit, 60 threads of 20
 * ms had 3.5 % too few.)
 */
static void
start_perf_clock(struct thread_slot *s)
{
	uint64_t passed = s->cpu.ns - s->handover.alone_from;

	s->handover.ahead = s->handover.alone > passed ?
	    s->handover.alone - passed : 0;
	if (s->handover.ahead > s->coarse_clock.interval)
		s->handover.ahead = s->coarse_clock.interval;
	s->handover.credit = perf_clock_mean_period(s) / 2;
	if (s->handover.credit > s->handover.ahead)
		s->handover.credit = s->handover.ahead;
	s->handover.ahead -= s->handover.credit;
	s->fine_clock.base = s->cpu.ns - s->fine_clock.ns + s->handover.ahead;
	s->kernel_clock.ns = 0;
	if (s->fine_clock.from == 0)
		s->fine_clock.from = s->cpu.ns;
	s->fine_clock.first_period = true;
	perf_clock_arm(s);
}

/*
 * Returns whether to switch the fine clock on.  first: it is the thread's first
 * tick.  At its second tick a thread has run for 20 times as long as arming
 * takes, so the fine clock starts there; at the first tick it starts only if
 * the thread has already run for a whole interval.
 */
static bool
is_perf_clock_due(const struct thread_slot *s, bool first)
{
	if (s->rate.pace == PERF_RATE_NONE ||
	    (perf_clock_is_spent(s) && !perf_rate_needs_event(s)))
		return false;
	return !first || s->cpu.ns - s->cpu.start >= s->coarse_clock.interval;
}

/*
 * Switches the fine clock off.  next: the new s->fine_clock.state.  The ring
 * does not hold the part of a period that has passed: on average half a period,
 * less the credit left for it, and no more than the CPU time that is there.
 * The next samples carry it.
 */
static void
stop_perf_clock(struct thread_slot *s, enum format_fine next)
{
	uint64_t half = s->fine_clock.period / 2;
	uint64_t most, rest = half > s->handover.credit ?
	    half - s->handover.credit : 0;

	s->handover.credit = 0;
	perf_clock_stop(s, next);
	most = s->cpu.ns > s->fine_clock.base ? s->cpu.ns - s->fine_clock.base :
	    0;
	most = most > s->fine_clock.ns ? most - s->fine_clock.ns : 0;
	s->pending.backlog += rest < most ? rest : most;
}

bool
clock_switch_is_final(const struct thread_slot *s)
{
	return s->fine_clock.state == FORMAT_FINE_REFUSED ||
	    s->fine_clock.state == FORMAT_FINE_SECCOMP ||
	    clock_period_full() == 0;
}

void
clock_switch_update(struct thread_slot *s, bool first, bool other_pace)
{
	if (clock_switch_is_final(s))
		return;
	if (s->fine_clock.state != FORMAT_FINE_ON) {
		if (is_perf_clock_due(s, first))
			start_perf_clock(s);
		return;
	}
	perf_clock_reconcile(s);
	if (atomic_exchange(&s->fine_clock.renew, false)) {
		stop_perf_clock(s, FORMAT_FINE_NEVER);
	} else if (s->rate.pace == PERF_RATE_NONE) {
		stop_perf_clock(s, FORMAT_FINE_SWITCHING);
	} else if (perf_clock_is_spent(s) && !perf_rate_needs_event(s)) {
		stop_perf_clock(s, FORMAT_FINE_DONE);
	} else if (other_pace) {
		stop_perf_clock(s, FORMAT_FINE_NEVER);
		start_perf_clock(s);
	}
}

STATE_START bool
clock_switch_may_start(const struct thread_slot *s)
{
	return s->fine_clock.state != FORMAT_FINE_ON &&
	    s->rate.pace != PERF_RATE_NONE && !clock_switch_is_final(s);
}

bool
clock_switch_is_missed(const struct thread_slot *s)
{
	uint64_t seen = s->records.thread == 0 ? s->cpu.start : s->cpu.ns;

	return sys_clock(CLOCK_THREAD_CPUTIME_ID) >= seen +
	    s->coarse_clock.interval;
}

void
clock_switch_start(struct thread_slot *s)
{
	uint64_t passed;

	s->cpu.ns = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	if (s->records.thread == 0)
		s->handover.alone_from = s->cpu.start;
	passed = s->cpu.ns - s->handover.alone_from;
	start_perf_clock(s);
	if (s->fine_clock.state == FORMAT_FINE_ON && passed > s->handover.alone)
		s->pending.backlog += passed - s->handover.alone;
}
