/*
 * Context: S.  The fine clock: a perf event of user mode; ticks and
 * clock_switch.c start and read it, core/runtime stops it;
 * doc/design/clocks.md.
 *
 * No descriptor is held: the event exists as long as its ring is mapped.
 */
#include "clock/perf_clock.h"

#include "base/loss_count.h"
#include "base/store_header.h"
#include "base/str.h"
#include "clock/clock_period.h"
#include "clock/kernel_samples.h"
#include "clock/perf_event.h"
#include "clock/perf_ring.h"
#include "count/record.h"
#include "module/proc_info.h"
#include "store/store.h"
#include "thread/private_fds.h"

#define SKEW_UNIT	1000
#define SKEW_LEAST	40		/* thousandths */
#define SKEW_MOST	400
/* ns: changing the period takes as long */
#define FIRST_LEAST	100000u
/*
 * Mean periods that a period lasts: EARLY for the first EARLY_UNTIL, then
 * LATER.  A change takes 45 us, 100 us with a helper thread: 0.14 or 0.3 % of
 * LATER at 1000 Hz.  With changes each 0.25 s, a period near that of a loop saw
 * the loop at one place for half of a short run: in 3 of 160 runs of 0.45 s a
 * share was off by five to seven standard deviations.
 */
#define PERIODS_EARLY	16
#define EARLY_UNTIL	256
#define PERIODS_LATER	32
/* ns; a period lasts no less, for what its changes cost at high rates */
#define LIFETIME_LEAST	16000000u
/* after so many in a row no thread asks again */
#define REFUSALS	8

bool
perf_clock_is_spent(const struct thread_slot *s)
{
	uint64_t budget = clock_period_budget();

	/*
	 * Kernel time counts, too, because the event's timer interrupts the
	 * kernel as well.
	 */
	return budget != 0 && (budget == FORMAT_NO_BUDGET ||
	    s->fine_clock.ns - s->fine_clock.spent >= budget ||
	    (s->fine_clock.from != 0 &&
	    s->cpu.ns - s->fine_clock.from >= budget));
}

uint64_t
perf_clock_mean_period(const struct thread_slot *s)
{
	const uint64_t later = perf_clock_is_spent(s) ?
	    clock_period_reduced() : 0;
	const uint64_t paced = clock_period_full() << 2 * s->rate.pace;

	return later > paced ? later : paced;
}

/* Returns the next number of the slot's generator (xorshift64). */
static uint64_t
draw_random_period(struct thread_slot *s)
{
	uint64_t x = s->fine_clock.random;

	if (x == 0)
		x = (uint64_t)s->tid * 0x9e3779b97f4a7c15u ^
		    (uint64_t)(uintptr_t)s ^ sys_clock(CLOCK_MONOTONIC);
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	s->fine_clock.random = x;
	return x;
}

/*
 * Draws the period from now to the first sample: a random part of the mean
 * period.  The clock goes on where the thread sleeps, at the end of a burst of
 * work.  With a fixed period the first samples of all threads would fall on one
 * place behind that (40 threads with bursts of 1 ms: a part with 46 % of the
 * time got 30 % of the samples).  A period shorter than the run of the handler,
 * which first has to make the file, would fill the ring meanwhile.
 */
static void
choose_first_period(struct thread_slot *s)
{
	const uint64_t mean = perf_clock_mean_period(s);

	s->fine_clock.period = mean <= FIRST_LEAST ? mean :
	    FIRST_LEAST + draw_random_period(s) % (mean - FIRST_LEAST);
}

/*
 * Draws the next period of the fine clock.  The rate is d higher than the mean,
 * then d lower, so that the mean rate over a pair is exact.  d is at least 4 %:
 * a loop whose period equals that of the clock would be seen at one place only.
 * d is at most 40 %: with 1 to 5 %, the drawn period was so often near that of
 * a loop of 1 ms that shares were off by twice the error of independent samples
 * (40 runs of 0.6 s).
 */
static void
choose_period(struct thread_slot *s)
{
	const uint64_t span = SKEW_MOST - SKEW_LEAST + 1;

	if (s->fine_clock.skew > 0)
		s->fine_clock.skew = -s->fine_clock.skew;
	else
		s->fine_clock.skew =
		    SKEW_LEAST + (int64_t)(draw_random_period(s) % span);
	s->fine_clock.period = perf_clock_mean_period(s) * SKEW_UNIT /
	    (uint64_t)(SKEW_UNIT + s->fine_clock.skew);
}

/*
 * Starts the events of the slot.  private_fds_run() calls it, perhaps in a
 * helper thread.  Returns 0 or -errno of the user-mode event.
 */
static int
start_perf_events(void *slot)
{
	struct thread_slot *s = slot;
	int ret = perf_event_start_user(s);

	if (ret == 0 && config.kernel)
		s->kernel_clock.error = -perf_event_start_kernel(s);
	return ret;
}

/* Returns whether to ask the kernel for a fine clock of this thread now. */
static bool
is_perf_event_wanted(const struct thread_slot *s)
{
	return s->native && s->fine_clock.state != FORMAT_FINE_ON &&
	    s->fine_clock.state != FORMAT_FINE_REFUSED &&
	    s->fine_clock.state != FORMAT_FINE_SECCOMP &&
	    clock_period_full() != 0 && !atomic_load(&mon->frozen) &&
	    atomic_load(&mon->fine_refused) < REFUSALS;
}

/*
 * Returns whether a seccomp filter may kill for perf_event_open(2), which few
 * filters allow.
 */
static bool
is_perf_filtered(void)
{
	return config.tier != CONFIG_TIER_PERF && proc_info_is_filtered();
}

void
perf_clock_arm(struct thread_slot *s)
{
	int ret, none = 0;

	if (!is_perf_event_wanted(s))
		return;
	if (is_perf_filtered()) {
		s->fine_clock.state = FORMAT_FINE_SECCOMP;
		return;
	}
	if (s->fine_clock.first_period)
		choose_first_period(s);
	else
		choose_period(s);
	ret = private_fds_run(start_perf_events, s);
	if (ret == 0) {
		s->fine_clock.state = FORMAT_FINE_ON;
		s->fine_clock.error = 0;
		s->fine_clock.rearm = 0;
		atomic_store(&mon->fine_refused, 0);
		return;
	}
	s->fine_clock.state = FORMAT_FINE_REFUSED;
	s->fine_clock.error = -ret;
	atomic_fetch_add(&mon->fine_refused, 1);
	atomic_compare_exchange_strong(&mon->fine_errno, &none, -ret);
}

/*
 * The fine clock runs on time that a hypervisor may have given to other
 * machines; CPU time does not.  In one test it counted up to a sixth too much.
 * The excess over the thread's whole CPU time is taken off the next samples, at
 * most half of each.
 */
void
perf_clock_reconcile(struct thread_slot *s)
{
	uint64_t most = s->cpu.ns > s->fine_clock.base ?
	    s->cpu.ns - s->fine_clock.base : 0;

	s->fine_clock.debt = s->fine_clock.ns > most ? s->fine_clock.ns - most :
	    0;
}

/*
 * Counts n samples at pc, less what another clock has counted and what was
 * counted too much, for perf_ring_drain().  arg: the slot.
 */
static void
count_user_sample(const struct perf_ring *record, uint64_t at, uintptr_t pc,
    uint64_t n, void *arg)
{
	struct thread_slot *s = arg;
	uint64_t ns = n * s->fine_clock.period;
	uint64_t off;

	(void)record;
	(void)at;
	if (s->handover.ahead >= ns) {
		s->handover.ahead -= ns;
		return;
	}
	ns -= s->handover.ahead;
	s->handover.ahead = 0;
	off = s->fine_clock.debt < ns / 2 ? s->fine_clock.debt : ns / 2;
	s->fine_clock.debt -= off;
	ns -= off;
	record_tick(s, pc, pc == s->tick.pc ? RECORD_USER : RECORD_PAST, n, ns);
	s->fine_clock.ns += ns;
}

void
perf_clock_drain(struct thread_slot *s, uintptr_t pc)
{
	s->tick.pc = pc;
	perf_ring_drain(&s->fine_clock.ring, pc, LOSS_RING, count_user_sample,
	    s);
}

/*
 * Counts the samples in the rings, for which no signal will come any more.  It
 * holds `busy` meanwhile, to keep the thread's own ticks away.  If `busy` is
 * taken, by a tick of the thread that calls this or by a thread that has the
 * slot, it stays taken.
 */
static void
drain_before_stop(struct thread_slot *s)
{
	bool known = s->records.thread != 0 && store_header() != NULL &&
	    s->records.generation == atomic_load(&mon->store.generation);
	bool ours = atomic_exchange(&s->busy, 1) == 0;
	uintptr_t last = s->tick.pc;

	s->tick.pc = 0;		/* the thread is elsewhere now */
	if (known && s->fine_clock.ring.bytes > config.page)
		perf_ring_drain(&s->fine_clock.ring, last, LOSS_RING,
		    count_user_sample, s);
	if (known)
		kernel_samples_drain(s, last);
	if (ours)
		atomic_store_explicit(&s->busy, 0, memory_order_release);
}

void
perf_clock_stop(struct thread_slot *s, unsigned next)
{
	if (s->fine_clock.state != FORMAT_FINE_ON)
		return;
	drain_before_stop(s);
	perf_ring_unmap(&s->fine_clock.ring);
	perf_ring_unmap(&s->kernel_clock.ring);
	s->fine_clock.state = next;
	s->handover.alone_from = s->cpu.ns;
	s->handover.alone = 0;
}

void
perf_clock_reset(struct thread_slot *s)
{
	perf_clock_stop(s, FORMAT_FINE_NEVER);
	s->fine_clock.state = FORMAT_FINE_NEVER;
	s->fine_clock.from = 0;
	s->fine_clock.spent = s->fine_clock.ns;
}

bool
perf_clock_is_sender(const struct thread_slot *s, int fd)
{
	return s->fine_clock.fd == fd + 1 || s->fine_clock.last_fd == fd + 1;
}

/*
 * The samples are not counted by place, because the thread that scans for dead
 * threads has no stack left for that.
 */
void
perf_clock_discard(struct thread_slot *s)
{
	loss_count(LOSS_RING_LEFT, perf_ring_unread(&s->fine_clock.ring) +
	    perf_ring_unread(&s->kernel_clock.ring));
	perf_ring_unmap(&s->fine_clock.ring);
	perf_ring_unmap(&s->kernel_clock.ring);
	s->fine_clock.state = FORMAT_FINE_DONE;
}

/* Returns how long the slot's clock keeps one period, in ns it counts. */
static uint64_t
period_lifetime(const struct thread_slot *s)
{
	const uint64_t mean = perf_clock_mean_period(s);
	const uint64_t ns = mean * (s->fine_clock.ns < EARLY_UNTIL * mean ?
	    PERIODS_EARLY : PERIODS_LATER);

	return ns > LIFETIME_LEAST ? ns : LIFETIME_LEAST;
}

bool
perf_clock_is_period_due(const struct thread_slot *s)
{
	return s->fine_clock.state == FORMAT_FINE_ON &&
	    (s->fine_clock.first_period ||
	    s->fine_clock.ns - s->fine_clock.rearm >= period_lifetime(s) ||
	    (perf_clock_is_spent(s) &&
	    s->fine_clock.period < CLOCK_PERIOD_LATER / 2)) &&
	    !atomic_load_explicit(&mon->frozen, memory_order_relaxed);
}

void
perf_clock_new_period(struct thread_slot *s)
{
	perf_clock_stop(s, FORMAT_FINE_NEVER);
	s->fine_clock.first_period = false;
	perf_clock_arm(s);
	s->fine_clock.rearm = s->fine_clock.ns;
}
