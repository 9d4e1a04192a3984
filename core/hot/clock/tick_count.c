/*
 * Context: S.  Counts one tick by the clock that sent it, for tick.c alone, in
 * the thread that ticks; doc/design/clocks.md.  All functions but tick_count()
 * run with `busy` of s held.
 */
#include "clock/tick_count.h"

#include "base/loss_count.h"
#include "base/store_header.h"
#include "clock/clock_switch.h"
#include "clock/cpu_timer.h"
#include "clock/itimer_avoid.h"
#include "clock/kernel_samples.h"
#include "clock/perf_clock.h"
#include "clock/perf_rate.h"
#include "count/live_control.h"
#include "count/record.h"
#include "store/store.h"
#include "store/store_create.h"
#include "thread/signal_chain.h"
#include "thread/thread_record.h"
#include "thread/thread_scan.h"

/* reading the CPU time costs 0.4 us: 50 ns a tick */
#define DEBT_TICKS	8
/* intervals of a late tick, of which the fine clock saw at most a quarter */
#define STOP_TICKS	4
/* ns: once in a CPU second of a thread */
#define CHORES_NS	1000000000u

/* Does what is due at a thread's first tick and once in its CPU second. */
static void
run_periodic_checks(struct thread_slot *s)
{
	s->cpu.chores = 0;
	atomic_store(&mon->segv_asked, false);
	signal_chain_recheck();
	itimer_avoid_poll();
	thread_scan_if_due();
}

/*
 * Returns the CPU time since the fine clock went on that neither clock has
 * counted, in ns.
 */
static uint64_t
uncounted_cpu_time(const struct thread_slot *s)
{
	uint64_t counted =
	    s->fine_clock.base + s->fine_clock.ns + s->kernel_clock.ns;

	return s->cpu.ns > counted ? s->cpu.ns - counted : 0;
}

/*
 * Returns how much of a coarse tick of ns beside the fine clock counts as
 * kernel time.  A late tick stands for several intervals, and some of their
 * ends were in user mode.  So the part that exceeds one interval counts as
 * kernel time only up to the CPU time that no clock has counted (one tick
 * weighed 24 ms).  A tick that waited for us is limited in the same way: it is
 * delivered after our own system call, wherever it was due (node with
 * mode=time+heap had 1.4 times its CPU time).
 */
static uint64_t
kernel_share(const struct thread_slot *s, uint64_t ns)
{
	uint64_t room = uncounted_cpu_time(s);

	if (ns <= room)
		return ns;
	if (s->coarse_clock.waited)
		return room;
	if (ns <= s->coarse_clock.due)
		return ns;
	return room > s->coarse_clock.due ? room : s->coarse_clock.due;
}

/*
 * Returns how long the machine was stopped, in ns, or 0.  When a hypervisor
 * stops the machine, the running thread is charged for it: in one case 40 ms,
 * of which the fine clock, which ran late, had counted one.  Most of the time
 * since the last coarse tick is then not counted.  If the thread slept, a late
 * tick says only that the thread sleeps at the scheduler's ticks.
 */
static uint64_t
machine_stop_time(const struct thread_slot *s, uint64_t ns)
{
	uint64_t passed = s->cpu.ns - s->last_coarse.cpu;
	uint64_t user = s->fine_clock.ns - s->last_coarse.fine;

	if (s->rate.slept || ns < STOP_TICKS * s->coarse_clock.due ||
	    user > passed / STOP_TICKS)
		return 0;
	return passed - user;
}

/*
 * Counts a coarse tick while the fine clock is on: as kernel time, or not at
 * all.  Time during which the machine was stopped belongs to no place, so the
 * next samples carry it.
 */
static void
count_beside_perf_clock(struct thread_slot *s, uintptr_t pc, uint64_t ns)
{
	uint64_t paused = machine_stop_time(s, ns);
	uint64_t kernel = kernel_share(s, ns);

	s->coarse_clock.waited = false;
	if (atomic_load(&s->kernel_clock.ring.map) != NULL) {
		kernel_samples_drain(s, pc);
	} else if (paused != 0) {
		s->pending.backlog += paused;
		s->fine_clock.base += paused;
	} else if (kernel != 0 &&
	    record_tick(s, pc, RECORD_KERNEL, 1, kernel)) {
		s->kernel_clock.ns += kernel;
	}
}

/*
 * Counts a coarse tick of a thread without a fine clock.  A late tick stands
 * for several intervals.  At the ends of all but the last the thread was
 * elsewhere or asleep, so the backlog gets these.
 */
static void
count_without_perf_clock(struct thread_slot *s, uintptr_t pc, uint64_t ns,
    bool first)
{
	uint64_t late = ns > s->coarse_clock.due ? ns - s->coarse_clock.due : 0;

	if (first)
		s->handover.alone_from = s->cpu.start;
	s->handover.alone += ns;
	record_tick(s, pc, RECORD_EITHER, 1, ns - late);
	s->pending.backlog += late;
}

/*
 * Lets the next tick avoid the interval timers of the program.  If two signals
 * are pending, the kernel delivers the thread's before the process's.  While
 * our handler blocks the process's signal, the kernel gives that to another
 * thread, whose system call it ends.  The program's timers of CPU time expire
 * in the scheduler's ticks as ours do: 98 of 100 of their signals went to a
 * wrong thread.
 */
static void
keep_clear_of_itimers(struct thread_slot *s, bool first)
{
	const struct format_header *h = store_header();
	uint64_t process = h != NULL ? h->cpu_ns : 0;
	uint64_t all = process - s->last_coarse.process;
	uint64_t own = s->cpu.ns - s->last_coarse.cpu;

	s->last_coarse.process = process;
	if (first)
		return;		/* `all` is the time since the process began */
	if (atomic_load_explicit(&mon->itimers, memory_order_relaxed))
		itimer_avoid_delay_tick(s, own == 0 ? 0 :
		    config.tick_ns / 1000 * all / own * 1000);
}

/*
 * Starts the clocks of a thread again after nothing was counted for a while, or
 * at other intervals.  It is treated as a new thread: its first tick stands for
 * a whole interval, although it may come anywhere in it.  On average it comes
 * in the middle, so half an interval is counted ahead.  Returns the interval.
 */
static uint64_t
restart_clocks(struct thread_slot *s)
{
	cpu_timer_renew_interval(s);
	/*
	 * The interval may have changed just before a seccomp filter was set,
	 * after which we make no system call.
	 */
	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed))
		return s->coarse_clock.interval;
	perf_rate_reset(s);
	if (s->fine_clock.state == FORMAT_FINE_ON ||
	    s->fine_clock.state == FORMAT_FINE_DONE)
		perf_clock_reset(s);
	s->cpu.ns = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	s->last_coarse.cpu = s->cpu.ns - (s->cpu.ns < s->coarse_clock.interval ?
	    s->cpu.ns : s->coarse_clock.interval);
	s->last_coarse.fine = s->fine_clock.ns;
	s->handover.alone_from =
	    s->last_coarse.cpu + (s->cpu.ns - s->last_coarse.cpu) / 2;
	s->handover.alone = 0;
	return s->coarse_clock.interval;
}

/*
 * Prepares the clocks of a thread whose coarse tick has been counted for the
 * next one.
 */
static void
update_clocks(struct thread_slot *s, bool first, bool other_pace)
{
	/*
	 * At each tick, for 0.8 us, so that the file of a killed process is up
	 * to date.
	 */
	thread_record_times(s);
	if (s->records.thread == 0)
		return;		/* nothing can be counted */
	signal_chain_guard_walks(s->cpu.ns);
	clock_switch_update(s, first, other_pace);
	if (s->native)
		s->sleep_check = clock_switch_may_start(s);
	keep_clear_of_itimers(s, first);
	s->last_coarse.cpu = s->cpu.ns;
	s->last_coarse.fine = s->fine_clock.ns;
	if (first || s->cpu.chores >= CHORES_NS)
		run_periodic_checks(s);
}

/*
 * Counts a tick of the coarse clock, and prepares the clocks for the next one.
 */
static void
count_coarse(struct thread_slot *s, const siginfo_t *si, uintptr_t pc)
{
	const bool frozen = atomic_load_explicit(&mon->frozen,
	    memory_order_relaxed);
	const bool first = s->records.thread == 0;
	uint64_t ns = s->coarse_clock.due + (uint64_t)si->si_overrun *
	    s->coarse_clock.interval;
	bool other_pace = false;

	if (s->coarse_clock.epoch != atomic_load_explicit(&mon->epoch,
	    memory_order_relaxed))
		ns = restart_clocks(s);
	if (!frozen && !clock_switch_is_final(s)) {
		s->cpu.ns = sys_clock(CLOCK_THREAD_CPUTIME_ID);
		other_pace = perf_rate_update(s, ns);
	}
	if (s->fine_clock.state == FORMAT_FINE_ON)
		count_beside_perf_clock(s, pc, ns);
	else
		count_without_perf_clock(s, pc, ns, first);
	s->coarse_clock.due = s->coarse_clock.interval;
	s->cpu.chores += ns;
	if (!frozen)
		update_clocks(s, first, other_pace);
	/* No fine clock will carry the backlog, so all of it counts here. */
	if (s->fine_clock.state != FORMAT_FINE_ON)
		record_backlog(s, pc);
}

/* Counts a tick of the fine clock: all samples in its ring. */
static void
count_fine(struct thread_slot *s, uintptr_t pc)
{
	perf_clock_drain(s, pc);
	if (++s->fine_clock.ticks % DEBT_TICKS == 0 &&
	    !atomic_load_explicit(&mon->frozen, memory_order_relaxed)) {
		s->cpu.ns = sys_clock(CLOCK_THREAD_CPUTIME_ID);
		perf_clock_reconcile(s);
	}
	if (perf_clock_is_period_due(s))
		perf_clock_new_period(s);
}

/*
 * Counts a tick of the process clock: the CPU time of the process since the
 * last one.
 */
static void
count_process(struct thread_slot *s, uintptr_t pc)
{
	uint64_t now, before;

	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed)) {
		loss_count(LOSS_FROZEN, 1);
		return;
	}
	now = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	before = atomic_exchange(&mon->process_seen, now);
	s->coarse_clock.kind = FORMAT_COARSE_PROCESS;
	if (now > before)
		record_tick(s, pc, RECORD_EITHER, 1, now - before);
	thread_record_times(s);
}

/*
 * Handles a tick while no time is to be counted.  It stops the fine clock,
 * makes the file, in which a tool can give orders, and shows there that time
 * passes.
 */
static void
count_idle(struct thread_slot *s)
{
	perf_clock_stop(s, FORMAT_FINE_NEVER);
	s->handover.alone = 0;
	if (s->coarse_clock.epoch != atomic_load(&mon->epoch))
		cpu_timer_renew_interval(s);
	if (!atomic_load(&mon->frozen) && store_create_if_due())
		thread_record_process_times();
}

void
tick_count(struct thread_slot *s, const siginfo_t *si, uintptr_t pc,
    const ucontext_t *uc)
{
	if (!atomic_load_explicit(&mon->running, memory_order_relaxed))
		return;
	if (atomic_exchange(&s->busy, 1) != 0) {
		loss_count(LOSS_NESTED, 1);
		return;
	}
	s->tick.context = uc;
	s->tick.callers = 0;
	store_allow_retry();
	live_control_poll();
	if (cpu_timer_is_idle())
		count_idle(s);
	else if (si->si_code == SI_TIMER)
		count_coarse(s, si, pc);
	else if (si->si_code == SI_KERNEL)
		count_process(s, pc);
	else
		count_fine(s, pc);
	s->tick.context = NULL;
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}
