/*
 * Context: T.  Prepares the process for a seccomp filter, for the hooks of
 * prctl(2) and syscall(2), before and after the program's call;
 * doc/design/seccomp.md.
 *
 * The filter is run for rt_sigreturn, with which every tick ends: if the filter
 * does not plainly allow that call, there can be no more ticks.  If a later
 * filter does not allow it, the clocks stop, provided that the filters before
 * allow the calls that this takes.
 */
#include "life/seccomp.h"

#include "base/loss_count.h"
#include "base/profiling.h"
#include "base/store_header.h"
#include "base/thread_clock.h"
#include "classic/monitor.h"
#include "clock/clock_period.h"
#include "clock/cpu_timer.h"
#include "clock/perf_clock.h"
#include "clock/wall_sampler.h"
#include "count/cct.h"
#include "count/record.h"
#include "life/seccomp_filter.h"
#include "module/modules.h"
#include "signal/altstack.h"
#include "store/store.h"
#include "thread/private_fds.h"
#include "thread/thread_record.h"
#include "thread/thread_slot.h"
#include "thread/thread_slot_each.h"

#define FREEZE_RESERVE	(1u << 20)	/* 20,000 nodes */
/* One or two time slices on a busy processor. */
#define SENT_TICKS_NS	20000000u
#define SENT_TICKS_TURNS	1000000u	/* of 20 to 40 ns */

/*
 * Whether the filters so far allow the calls to check another filter and to
 * stop the clocks, and the call to wait for ticks.
 */
static bool may_stop, may_sleep;

/*
 * Writes the end of the perf clock into the thread's record, because no tick
 * does so any more.  If the filter is refused, the next tick writes the record
 * again.
 */
static void
record_perf_clock_off(const struct thread_slot *s)
{
	struct format_thread *t;

	if (store_header() == NULL || s->records.thread == 0 ||
	    s->records.generation != atomic_load(&mon->store.generation))
		return;
	t = store_at(s->records.thread);
	t->fine = FORMAT_FINE_SECCOMP;
	t->fine_ns = s->fine_clock.ns;
}

/*
 * Stops the thread's perf clock.  In a frozen process its cost cannot be
 * watched: a thread with frequent context switches paid three times its CPU
 * time for good, and long system calls could not be told from pauses.
 */
static void
freeze_perf_clock(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (!thread_slot_lock(s))
		return;
	if (s->fine_clock.state == FORMAT_FINE_ON) {
		perf_clock_stop(s, FORMAT_FINE_NEVER);
		record_perf_clock_off(s);
	}
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

/*
 * Reserves an alternate stack for a thread that has its slot in TLS, or else
 * stops its clock.  If the thread sets a small alternate stack later, it gets
 * the reserved one in its place, because its clock cannot be stopped any more.
 * That needs a TLS word which tells the thread's slot, and libc's own threads
 * have none.
 */
static void
freeze_altstack(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (s->native)
		altstack_reserve(s);
	if ((s->native && s->stack.alt != NULL) ||
	    atomic_load(&s->coarse_clock.timer) == 0)
		return;
	cpu_timer_stop(s);
	loss_count(LOSS_FROZEN, 1);
}

/* Notes for the report that no thread has a perf clock from here on. */
static void
report_no_perf_clock(void)
{
	struct format_header *h = store_header();

	if (h != NULL && clock_period_full() != 0)
		__atomic_fetch_or(&h->fine_seen, 1u << FORMAT_FINE_SECCOMP,
		    __ATOMIC_RELAXED);
}

/*
 * The clocks that the last seccomp_freeze() stopped.  One thread at a time is
 * between it and seccomp_freeze_end().
 */
static struct {
	bool clocks, process;
} stopped;

/* Stops the coarse clock of any thread. */
static void
freeze_cpu_timer(struct thread_slot *s, void *arg)
{
	(void)arg;
	cpu_timer_stop(s);
}

/*
 * Waits for ticks that were already sent to other threads: their handlers must
 * return before the filter forbids it.
 */
static void
await_sent_ticks(void)
{
	struct timespec left = {0, SENT_TICKS_NS};

	for (unsigned i = 0; !may_sleep && atomic_load(&mon->live) > 1 &&
	    i < SENT_TICKS_TURNS; i++)
		arch_cpu_relax();
	while (may_sleep && atomic_load(&mon->live) > 1 &&
	    SYS(nanosleep, &left, &left, 0, 0, 0, 0) == -EINTR)
		;
}

/* Stops the coarse clocks of all threads, and waits for their last ticks. */
static void
freeze_clocks(void)
{
	stopped.clocks = true;
	thread_slot_for_each(freeze_cpu_timer, NULL);
	await_sent_ticks();
}

/* Starts the coarse clock of a live thread that freeze_clocks() stopped. */
static void
thaw_clock(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) == THREAD_SLOT_LIVE &&
	    atomic_load(&s->coarse_clock.timer) == 0 &&
	    (s->coarse_clock.kind == FORMAT_COARSE_CPU ||
	    s->coarse_clock.kind == FORMAT_COARSE_USER))
		thread_clock_start(s);
}

/*
 * Makes the record of a thread.  A filter can be set for all threads, and then
 * none of them may make the system calls that a record needs.
 */
static void
make_record_of_thread(struct thread_slot *s, void *arg)
{
	(void)arg;
	if (atomic_load(&s->state) != THREAD_SLOT_LIVE ||
	    atomic_exchange(&s->busy, 1) != 0)
		return;		/* a tick of the thread makes the record */
	record_prepare(s);
	atomic_store_explicit(&s->busy, 0, memory_order_release);
}

/*
 * Must run by private_fds_run(), because the names of other threads are read
 * from files.
 */
static int
make_records_of_threads(void *unused)
{
	(void)unused;
	thread_slot_for_each(make_record_of_thread, NULL);
	return 0;
}

/*
 * Makes the file, and what ticks of a frozen process will need of it.  s: the
 * slot of the calling thread.
 */
static void
make_all_ahead(struct thread_slot *s)
{
	if (!record_prepare(s))
		return;
	private_fds_run(make_records_of_threads, NULL);
	modules_refresh();
	store_reserve(FREEZE_RESERVE);
	cct_reserve(FREEZE_RESERVE / sizeof(struct format_node));
	thread_record_times(s);
	thread_record_process_times();
}

/* Notes what the process may not do any more once the filter is in force. */
static void
note_filter(const struct sock_fprog *filter)
{
	may_stop = may_stop &&
	    seccomp_filter_allows(filter, SYS_rt_sigprocmask) &&
	    seccomp_filter_allows(filter, SYS_timer_delete);
	may_sleep = may_sleep && seccomp_filter_allows(filter, SYS_nanosleep);
}

/*
 * Takes one more filter into account.  A call that one filter forbids is
 * forbidden, whatever the others allow.
 */
static void
freeze_by_next_filter(const struct sock_fprog *filter)
{
	if (!may_stop || stopped.clocks ||
	    (filter != NULL && !seccomp_filter_is_valid(filter)))
		return;
	if (!seccomp_filter_allows(filter, SYS_rt_sigreturn)) {
		freeze_clocks();
		loss_count(LOSS_FROZEN, 1);
	}
	note_filter(filter);
}

/*
 * Returns whether nothing is profiled here: then only monitor()'s file needs
 * protection from the filter.
 */
static bool
is_unprofiled(void)
{
	return mon == NULL && !config.linked;
}

/* Says it in the file, too: tools need not wait for an answer. */
static void
set_frozen(bool frozen)
{
	struct format_header *h = store_header();

	atomic_store(&mon->frozen, frozen);
	if (h != NULL)
		__atomic_store_n(&h->frozen, frozen, __ATOMIC_RELAXED);
}

bool
seccomp_freeze(const struct sock_fprog *filter)
{
	struct thread_slot *s = thread_slot_self;

	if (is_unprofiled())
		return monitor_set_frozen(true);
	if (!profiling_is_active())
		return false;
	if (atomic_load(&mon->frozen)) {
		freeze_by_next_filter(filter);
		return false;
	}
	if (filter != NULL && !seccomp_filter_is_valid(filter))
		return false;
	if (s != NULL && thread_slot_is_valid(s))
		make_all_ahead(s);
	wall_sampler_stop();
	atomic_store(&virtual_signals.boxed, true);
	set_frozen(true);
	/* From here on no tick starts a perf clock. */
	thread_slot_for_each(freeze_perf_clock, NULL);
	thread_slot_for_each(freeze_altstack, NULL);
	stopped.clocks = false;
	stopped.process = atomic_load(&mon->process_tier);
	/*
	 * In a frozen process its ticks could not be weighed, and they could
	 * interrupt threads that begin later.
	 */
	cpu_timer_stop_process();
	may_stop = may_sleep = true;
	if (!seccomp_filter_allows(filter, SYS_rt_sigreturn))
		freeze_clocks();
	note_filter(filter);
	return true;
}

void
seccomp_freeze_end(bool refused)
{
	if (is_unprofiled()) {
		if (refused)
			monitor_set_frozen(false);
		return;
	}
	if (!refused) {
		if (stopped.clocks || stopped.process)
			loss_count(LOSS_FROZEN, 1);
		report_no_perf_clock();
		return;
	}
	atomic_store(&virtual_signals.boxed, false);
	set_frozen(false);
	if (config.clock == FORMAT_CLOCK_WALL)
		wall_sampler_start();
	thread_slot_reclaim();
	thread_slot_for_each(thaw_clock, NULL);
	if (stopped.process)
		thread_clock_restart_itimer();
}
