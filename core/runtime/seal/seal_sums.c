/*
 * Context: T.  Writes the final sums of elapsed time at a seal
 * (profile_end.c), while threads may begin and end; see seal_sums.h.
 */
#include "seal/seal_sums.h"

#include "base/state.h"
#include "clock/cpu_timer.h"
#include "store/cpu_quota.h"
#include "thread/private_fds.h"
#include "thread/run_delay.h"
#include "thread/thread_life.h"
#include "thread/thread_slot_each.h"

/* ns without a processor from which on it is worth 7 us to ask a thread */
#define SUMS_ASK_NS	1000000u
/* part of its life that a process spends on asking, and the least, ns */
#define SUMS_SHARE	200u
#define SUMS_LEAST_NS	2000000u

/* The questions to all threads, and what they have answered. */
struct last_questions {
	struct format_header *header;
	uint64_t now;		/* up to when the sums go */
	uint64_t until;		/* CLOCK_MONOTONIC, ns: no more questions */
	uint64_t delay, unasked;
	uint64_t ran;		/* CPU time of the lives */
	uint64_t lost;		/* time after the ends of threads unseen */
	unsigned unseen;	/* these threads, unless counted before */
	unsigned dropped;	/* helpers of ours */
	bool refused;
};

/*
 * Makes the slot's life this seal's, so that its thread, if it is ending, does
 * not add it up as well.  Returns whether it is to be added up.
 */
static bool
claim_life(struct thread_slot *s)
{
	unsigned state = atomic_load(&s->life.state);

	while (state == SLOT_LIFE_OPEN || state == SLOT_LIFE_ENDING)
		if (atomic_compare_exchange_strong(&s->life.state, &state,
		    state | SLOT_LIFE_SEALED))
			return true;
	return false;
}

/*
 * Adds up a thread that is gone, as thread_life_lost() does: its life is the
 * CPU time that is known of it.
 */
static void
add_lost_life(struct last_questions *q, const struct thread_slot *s)
{
	const uint64_t ran = thread_life_ran(s, s->cpu.ns);
	/* One that a scan has found and that never ran is a helper of ours. */
	const bool helper = s->life.found && ran == 0;

	q->ran += ran;
	q->lost += thread_life_off(s, q->now, s->cpu.ns);
	q->unseen += !s->life.found;
	q->unseen -= helper;
	q->dropped += helper;
}

/*
 * Adds how long the thread waited for a processor, or its time off, if it need
 * not or cannot be asked.  off: its time without a processor, ns.
 */
static void
ask_thread(struct last_questions *q, const struct thread_slot *s, uint64_t off)
{
	uint64_t delay;

	if (off < SUMS_ASK_NS || sys_clock(CLOCK_MONOTONIC) > q->until) {
		q->unasked += off;
		return;
	}
	delay = run_delay_read(s->main ? 0 : s->tid);
	q->refused |= delay == RUN_DELAY_UNKNOWN;
	delay = thread_life_delay(s->main ? mon->lives.first_delay :
	    s->life.delay, off, delay);
	if (delay == RUN_DELAY_UNKNOWN)
		q->unasked += off;
	else
		q->delay += delay;
}

/* Adds up a thread that lives, or that ended unseen, unless it adds itself. */
static void
visit_thread(struct thread_slot *s, void *questions)
{
	struct last_questions *q = questions;
	uint64_t cpu;

	if (!claim_life(s))
		return;
	cpu = cpu_timer_thread_time(s->tid);
	if (cpu == 0 && s->life.ended == 0)
		add_lost_life(q, s);
	else {
		q->ran += thread_life_ran(s, cpu);
		ask_thread(q, s, thread_life_off(s, q->now, cpu));
	}
}

/*
 * Writes how long and how often the CPU quota stopped the control group.
 * Smaller figures are of another group, to which the process has moved.
 */
static void
read_throttling(struct format_header *h)
{
	struct cpu_quota quota;

	if ((h->sums & FORMAT_SUMS_QUOTA) == 0)
		return;
	if (cpu_quota_read(&quota, mon->birth_scratch + PATH_MAX,
	    2 * PATH_MAX) == 0 && quota.throttled_ns >= h->throttle_birth_ns &&
	    quota.throttles >= h->throttles_birth) {
		h->throttle_ns = quota.throttled_ns;
		h->throttles = quota.throttles;
	} else {
		h->sums &= ~FORMAT_SUMS_QUOTA;
	}
}

static int
ask_all(void *questions)
{
	struct last_questions *q = questions;

	thread_slot_for_each(visit_thread, q);
	read_throttling(q->header);
	return 0;
}

/*
 * Returns the CPU time of the process that belongs to no life, in ns: the
 * kernel makes and ends a thread outside of its life (17 us each where 50,000
 * were made), and the library's helpers have no life.  Threads that run while
 * this visits them make the result too small by that time, at least 0.
 */
static uint64_t
ran_outside(const struct format_header *h, const struct last_questions *q)
{
	const uint64_t all = h->cpu_ns - mon->cpu_birth_ns;
	const uint64_t within = q->ran + atomic_load(&mon->lives.ran);

	return all > within ? all - within : 0;
}

void
seal_sums_write(struct format_header *h)
{
	const uint64_t life = h->cpu_mono - mon->lives.birth_mono;
	struct last_questions q = { .header = h, .now = h->cpu_mono };

	q.until = q.now + (life / SUMS_SHARE > SUMS_LEAST_NS ?
	    life / SUMS_SHARE : SUMS_LEAST_NS);
	thread_life_add_late();
	thread_life_write(h);
	private_fds_run(ask_all, &q);
	/* what ending threads have added meanwhile */
	thread_life_write(h);
	h->delay_ns += q.delay;
	h->unasked_ns += q.unasked;
	h->lived_ns += ran_outside(h, &q) - q.lost;
	h->unseen += q.unseen;
	h->lives -= q.dropped;
	h->sums |= FORMAT_SUMS_FINAL | (q.refused ? FORMAT_SUMS_REFUSED : 0);
}

static void
reopen_life(struct thread_slot *s, void *unused)
{
	(void)unused;
	atomic_fetch_and(&s->life.state, ~(unsigned)SLOT_LIFE_SEALED);
}

void
seal_sums_undo(struct format_header *h)
{
	h->sums &= ~FORMAT_SUMS_FINAL;
	thread_slot_for_each(reopen_life, NULL);
	thread_life_add_late();
}
