/*
 * Context: O. Tests of core/hot/count/live_control.c: what is asked, and the
 * answer.
 */
#include "count/live_control.h"

#include "base/store_header.h"
#include "clock/cpu_timer.h"
#include "count/arc_shard.h"
#include "count/record.h"
#include "count/thread_arcs.h"
#include "heap_live/live_blocks.h"
#include "signal/sigmask.h"
#include "store/store.h"
#include "target.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#define MS	1000000u

static struct thread_slot *self;

static void
start(void)
{
	target_init();
	lineage_set_paused(LINEAGE_NO_HEAP, true);
	target_birth();
	self = target_slot();
	self->coarse_clock.kind = FORMAT_COARSE_CPU;
}

TestSuite(live_control, .init = start, .fini = target_fini);

static struct format_header *
ask(uint32_t number, bool stop)
{
	struct format_header *h = store_header();

	h->ask_stop = stop;
	h->ask_modes = FORMAT_MODE_TIME;
	h->asked = number;
	live_control_poll();
	return h;
}

static uint64_t
counted(void)
{
	const struct format_thread *t = self->records.thread == 0 ? NULL :
	    store_at(self->records.thread);

	return t == NULL ? 0 : t->ticks;
}

static void
tick(void)
{
	record_tick(self, (uintptr_t)tick, RECORD_EITHER, 1, 4 * MS);
}

/* The interval of the slot's timer, ns. */
static uint64_t
interval(void)
{
	struct itimerspec now;

	cr_assert_eq(SYS(timer_gettime,
	    atomic_load(&self->coarse_clock.timer) - 1, &now, 0, 0, 0, 0), 0);
	return (uint64_t)now.it_interval.tv_sec * 1000 * MS +
	    (uint64_t)now.it_interval.tv_nsec;
}

Test(live_control, stops_and_counts_on)
{
	struct format_header *h;

	tick();
	cr_assert_eq(counted(), 1);
	h = ask(2, true);
	cr_expect_eq(h->answered, 2);
	cr_expect_eq(h->answer, 0);
	cr_expect_neq(h->stopped_ns & FORMAT_STOPPED, 0);
	tick();
	cr_expect_eq(counted(), 1);
	ask(4, false);
	cr_expect_eq(h->answered, 4);
	cr_expect_eq(h->stopped_ns & FORMAT_STOPPED, 0);
	cr_expect_neq(h->stopped_ns, 0);
	tick();
	cr_expect_eq(counted(), 2);
}

/* The time of two stops adds up, whatever the process used beside them. */
Test(live_control, adds_up_stops)
{
	const uint64_t from = sys_clock(CLOCK_PROCESS_CPUTIME_ID);
	struct format_header *h = ask(2, true);
	uint64_t once;

	ask(4, false);
	once = h->stopped_ns;
	cr_expect_leq(once, sys_clock(CLOCK_PROCESS_CPUTIME_ID) - from);
	ask(6, true);
	ask(8, false);
	cr_expect_gt(h->stopped_ns, once);
	cr_expect_leq(h->stopped_ns, sys_clock(CLOCK_PROCESS_CPUTIME_ID) -
	    from);
}

/* Odd, or the same as last time. */
Test(live_control, leaves_what_is_not_whole)
{
	struct format_header *h = ask(3, true);

	cr_expect_eq(h->answered, 0);
	cr_expect_not(lineage_is_paused(LINEAGE_STOPPED));
	ask(2, false);
	h->ask_stop = 1;
	live_control_poll();
	cr_expect_not(lineage_is_paused(LINEAGE_STOPPED));
}

/* From then on blocks are entered in another table. */
Test(live_control, forgets_blocks)
{
	struct format_header *h = store_header();
	struct live_block_table *old = live_blocks_create(1u << 24,
	    atomic_load(&mon->store.generation));
	struct live_blocks_user user = { 1, NULL };
	struct live_block b = { 5, 100 }, was;

	cr_assert_not_null(old);
	atomic_store(&mon->blocks, old);
	cr_assert_eq(live_blocks_insert(old, &user, 0x10000, &b, &was), 0);
	ask(2, true);
	cr_expect_eq(atomic_load(&mon->blocks), old, "it was not asked that");
	h->ask_forget = 1;
	ask(4, true);
	cr_expect_eq(h->answer, 0);
	cr_expect_neq(atomic_load(&mon->blocks), old);
	cr_expect_not(live_blocks_remove(atomic_load(&mon->blocks), &user,
	    0x10000, &b));
	h->ask_forget = 2;
	ask(6, true);
	cr_expect_not(live_blocks_remove(old, &user, 0x10000, &b),
	    "its memory is given back");
}

/* The next file is not asked what the last one was. */
Test(live_control, is_not_started_by_a_new_file)
{
	ask(2, true);
	atomic_store(&mon->store.state, STORE_NONE);
	target_birth();
	cr_expect_eq(store_header()->asked, 0);
	live_control_poll();
	cr_expect(lineage_is_paused(LINEAGE_STOPPED));
	cr_expect_neq(store_header()->stopped_ns & FORMAT_STOPPED, 0);
	ask(2, false);
	cr_expect_not(lineage_is_paused(LINEAGE_STOPPED));
}

/* Behind seccomp no timer can be set, and no clock be read. */
Test(live_control, says_that_it_cannot)
{
	struct format_header *h;

	atomic_store(&mon->frozen, true);
	h = ask(2, true);
	cr_expect_eq(h->answered, 2);
	cr_expect_eq(h->answer, EPERM);
	cr_expect_not(lineage_is_paused(LINEAGE_STOPPED));
	atomic_store(&mon->frozen, false);
}

Test(live_control, changes_the_pace_of_all_timers)
{
	unsigned epoch;

	cr_assert_eq(cpu_timer_arm(self), 0);
	cr_expect_eq(interval(), 4 * MS);
	ask(2, true);
	cr_expect_eq(interval(), 100 * MS);
	ask(4, false);
	cr_expect_eq(interval(), 4 * MS);
	epoch = self->coarse_clock.epoch;
	cpu_timer_renew_interval(self);
	cr_expect_eq(self->coarse_clock.epoch, epoch + 2);
	ask(6, true);
	cpu_timer_stop(self);
	cr_assert_eq(cpu_timer_arm(self), 0);
	cr_expect_eq(interval(), 100 * MS);
	cpu_timer_stop(self);
}

static struct format_header *
control_client_send(uint32_t number, uint32_t modes, uint64_t interval)
{
	struct format_header *h = store_header();

	h->ask_modes = modes;
	h->ask_interval_ns = interval;
	h->asked = number;
	live_control_poll();
	return h;
}

/* Each thread changes its fine clock by itself: its epoch is an old one. */
Test(live_control, changes_the_interval)
{
	unsigned epoch = atomic_load(&mon->epoch);
	struct format_header *h = control_client_send(2, FORMAT_MODE_TIME,
	    10 * MS);

	cr_expect_eq(h->answer, 0);
	cr_expect_eq(h->interval_ns, 10 * MS);
	cr_expect_eq(h->asked_hz, 100);
	cr_expect_eq(h->period_ns, 10 * MS);
	cr_expect_eq(h->budget_ns, 0);
	cr_expect_eq(atomic_load(&mon->epoch), epoch + 1);
	control_client_send(4, FORMAT_MODE_TIME, 0);
	cr_expect_eq(h->asked_hz, 0);
	cr_expect_neq(h->budget_ns, 0);
	control_client_send(6, FORMAT_MODE_TIME, 0);
	cr_expect_eq(atomic_load(&mon->epoch), epoch + 2, "the same");
	cr_expect_eq(h->answered, 6);
}

/* And does the rest, which others may have asked. */
Test(live_control, refuses_what_it_cannot_do)
{
	static const uint64_t bad[] = { 1, 49999, 10000000001u };
	struct format_header *h = control_client_send(2, FORMAT_MODE_TIME |
	    FORMAT_MODE_MEMORY, 10 * MS);
	unsigned i;

	cr_expect_eq(h->answer, EOPNOTSUPP);
	cr_expect_eq(h->interval_ns, 10 * MS);
	control_client_send(4, 0, 0);
	cr_expect_eq(h->answer, EOPNOTSUPP);
	for (i = 0; i < 3; i++) {
		control_client_send(6 + 2 * i, FORMAT_MODE_TIME, bad[i]);
		cr_expect_eq(h->answer, EINVAL);
		cr_expect_eq(h->interval_ns, 0);
	}
	h->ask_stop = 1;
	control_client_send(18, FORMAT_MODE_TIME, 1);
	cr_expect_eq(h->answer, EINVAL);
	cr_expect(lineage_is_paused(LINEAGE_STOPPED));
	control_client_send(20, FORMAT_MODE_TIME, 50000);
	cr_expect_eq(h->answer, 0);
}

/* Known arcs too; and moncontrol(0) of the program holds beside it. */
Test(live_control, leads_calls_elsewhere)
{
	static struct format_arc arc;
	struct arc_shard *t = thread_arcs_get();

	t = thread_arcs_make_room(t, 0x1000, 0x2000);
	cr_assert_not_null(t);
	arc_shard_add(t, 0x1000, 0x2000, &arc);
	ask(2, true);
	cr_expect_eq(arc_shard_find(t, 0x1000, 0x2000), &t->unwanted);
	arc_shard_set_paused(LINEAGE_PAUSED, true);
	ask(4, false);
	cr_expect_eq(arc_shard_find(t, 0x1000, 0x2000), &t->unwanted);
	arc_shard_set_paused(LINEAGE_PAUSED, false);
	cr_expect_eq(arc_shard_find(t, 0x1000, 0x2000), &arc.count);
}

/* Only what the kernel says when a count of events is up, and was announced. */
Test(live_control, knows_a_kick)
{
	siginfo_t si = { .si_code = POLL_HUP };
	struct format_header *h = store_header();

	cr_expect_not(live_control_is_kick(&si));
	h->kicks = 1;
	cr_expect(live_control_is_kick(&si));
	si.si_code = POLL_IN;
	cr_expect_not(live_control_is_kick(&si));
	si.si_code = POLL_HUP;
	atomic_store(&mon->store.state, STORE_CLOSED);
	cr_expect(live_control_is_kick(&si));
}

/* The file has its name, and tools kick, before the first store is ready. */
Test(live_control, knows_a_kick_while_the_file_is_made)
{
	siginfo_t si = { .si_code = POLL_HUP };

	atomic_store(&mon->store.generation, 0);
	atomic_store(&mon->store.state, STORE_BUSY);
	cr_expect(live_control_is_kick(&si));
	atomic_store(&mon->store.state, STORE_NONE);
	cr_expect_not(live_control_is_kick(&si));
}

/* Over exec it would end the next program. */
Test(live_control, drains_a_kick)
{
	siginfo_t si = { .si_code = POLL_HUP, .si_signo = SIGSTKFLT };
	sigset_t set;

	store_header()->kicks = 1;
	sigemptyset(&set);
	sigaddset(&set, SIGSTKFLT);
	cr_assert_eq(sigprocmask(SIG_BLOCK, &set, NULL), 0);
	cr_assert_eq(SYS(rt_tgsigqueueinfo, getpid(), gettid(), SIGSTKFLT, &si,
	    0, 0), 0);
	cr_assert_eq(sigpending(&set), 0);
	cr_assert(sigismember(&set, SIGSTKFLT));
	sigmask_drain();
	cr_assert_eq(sigpending(&set), 0);
	cr_expect_not(sigismember(&set, SIGSTKFLT));
}

Test(live_control, names_the_signal_of_a_kick)
{
	cr_expect_eq(live_control_kick_signal(), SIGSTKFLT);
	cr_expect_eq(store_header()->kick_signal, SIGSTKFLT);
	virtual_signals.moved = true;
	atomic_store(&virtual_signals.signal, SIGPWR);
	cr_expect_eq(live_control_kick_signal(), SIGPWR);
	atomic_store(&mon->small_stacks, 1);
	cr_expect_eq(live_control_kick_signal(), 0, "it has no room");
	atomic_store(&mon->small_stacks, 0);
	virtual_signals.on_stack = true;
	cr_expect_eq(live_control_kick_signal(), SIGPWR, "on ours");
	virtual_signals.own_stacks = true;
	cr_expect_eq(live_control_kick_signal(), 0, "none may be left");
	live_control_publish_kick();
	cr_expect_eq(store_header()->kick_signal, 0);
}
