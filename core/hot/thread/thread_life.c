/*
 * Context: S.  Adds up the lives of threads, for whoever takes or frees a slot
 * and for the writers of the header's times; see thread_life.h.  Any thread and
 * any signal handler may change the account at any time, so it has no lock.
 *
 * The process keeps two words: how many threads live, and the ends of the
 * others less the births of all.  So at any time all threads together have
 * lived open * now + balance, and no tick has to visit every thread.
 */
#include "thread/thread_life.h"

#include "clock/cpu_timer.h"
#include "module/proc_info.h"
#include "thread/private_fds.h"
#include "thread/run_delay.h"

/*
 * ns without a processor from which on an ending thread is asked.  On a machine
 * that is overloaded the helper waits for a processor, too: some 5 ms.
 */
#define LIFE_ASK_NS	250000000u
/* tries to read the account between changes */
#define LIFE_TRIES	8

STATE_START static void
change_account(uint64_t balance, unsigned open)
{
	struct thread_lives *l = &mon->lives;

	atomic_fetch_add(&l->begun, 1);
	atomic_fetch_add(&l->balance, balance);
	atomic_fetch_add(&l->open, open);
	atomic_fetch_add(&l->done, 1);
}

/*
 * Writes how many threads live and what all have lived up to h->cpu_mono,
 * unless the account is being changed.
 */
static void
write_lives(struct format_header *h)
{
	struct thread_lives *l = &mon->lives;

	for (unsigned i = 0; i < LIFE_TRIES; i++) {
		const unsigned done = atomic_load(&l->done);
		const unsigned open = atomic_load(&l->open);
		const uint64_t balance = atomic_load(&l->balance);

		if (atomic_load(&l->begun) != done)
			continue;
		h->living = open;
		h->lived_ns = balance + open * h->cpu_mono;
		return;
	}
}

/*
 * Takes the life from one state to another, if it is in that.  A sealed one
 * stays sealed, and *sealed says so.
 */
static bool
move_life(struct thread_slot *s, unsigned from, unsigned to, bool *sealed)
{
	unsigned state = atomic_load(&s->life.state);

	while ((state & ~SLOT_LIFE_SEALED) == from) {
		*sealed = (state & SLOT_LIFE_SEALED) != 0;
		if (atomic_compare_exchange_strong(&s->life.state, &state,
		    to | (state & SLOT_LIFE_SEALED)))
			return true;
	}
	return false;
}

STATE_START void
thread_life_begin(struct thread_slot *s)
{
	s->life.ended = 0;
	atomic_store(&s->life.state, SLOT_LIFE_OPEN);
	atomic_fetch_add(&mon->lives.count, 1);
	if (s->life.found)
		atomic_fetch_add(&mon->lives.unseen, 1);
	change_account(-s->life.born, 1);
}

/*
 * Returns what of the time `passed` a thread had no processor, whose CPU time
 * was `before` at the begin of that time and is `cpu` at its end.
 */
static uint64_t
time_off(uint64_t passed, uint64_t before, uint64_t cpu)
{
	const uint64_t ran = cpu > before ? cpu - before : 0;

	return passed > ran ? passed - ran : 0;
}

uint64_t
thread_life_off(const struct thread_slot *s, uint64_t now, uint64_t cpu)
{
	const uint64_t end = s->life.ended != 0 ? s->life.ended : now;

	/* A thread can be born behind `now` while the seal visits threads. */
	return end <= s->life.born ? 0 :
	    time_off(end - s->life.born, s->life.cpu, cpu);
}

/* A question to a thread, and its answer. */
struct delay_question {
	int tid;
	uint64_t delay;		/* ns, or RUN_DELAY_UNKNOWN */
};

static int
ask_for_delay(void *question)
{
	struct delay_question *q = question;

	q->delay = run_delay_read(q->tid);
	return 0;
}

uint64_t
thread_life_delay(uint64_t before, uint64_t off, uint64_t delay)
{
	if (delay == RUN_DELAY_UNKNOWN || before == RUN_DELAY_UNKNOWN)
		return RUN_DELAY_UNKNOWN;
	delay -= delay < before ? delay : before;
	return delay < off ? delay : off;
}

/*
 * Adds up the CPU time of a life that is over, `ran` in ns.  sealed: the seal
 * has added it up, unless an exec fails.
 */
static void
add_ended_ran(uint64_t ran, bool sealed)
{
	struct thread_lives *l = &mon->lives;

	atomic_fetch_add(sealed ? &l->late_ran : &l->ran, ran);
}

/*
 * Adds up how long a thread that has ended waited for a processor: `delay` in
 * ns, or if that is RUN_DELAY_UNKNOWN, the time `off` without a processor.
 * sealed: as in add_ended_ran().
 */
static void
add_ended_delay(uint64_t off, uint64_t delay, bool sealed)
{
	struct thread_lives *l = &mon->lives;

	if (delay == RUN_DELAY_UNKNOWN)
		atomic_fetch_add(sealed ? &l->late_unasked : &l->unasked, off);
	else
		atomic_fetch_add(sealed ? &l->late_delay : &l->delay, delay);
}

void
thread_life_add_late(void)
{
	struct thread_lives *l = &mon->lives;

	atomic_fetch_add(&l->delay, atomic_exchange(&l->late_delay, 0));
	atomic_fetch_add(&l->unasked, atomic_exchange(&l->late_unasked, 0));
	atomic_fetch_add(&l->ran, atomic_exchange(&l->late_ran, 0));
}

void
thread_life_end(struct thread_slot *s)
{
	struct delay_question q = { s->tid, RUN_DELAY_UNKNOWN };
	uint64_t off, cpu;
	bool sealed;

	if (!move_life(s, SLOT_LIFE_OPEN, SLOT_LIFE_ENDING, &sealed))
		return;
	s->life.ended = sys_clock(CLOCK_MONOTONIC);
	change_account(s->life.ended, -1u);
	if (s->main)
		return;
	cpu = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	off = thread_life_off(s, s->life.ended, cpu);
	/*
	 * For some us a helper holds the descriptors that the program closes
	 * meanwhile: a port can be in use still.  So only clock=wall asks,
	 * whose threads take a helper at their ends anyway.
	 */
	if (config.clock == FORMAT_CLOCK_WALL && off >= LIFE_ASK_NS &&
	    !proc_info_filter_came()) {
		private_fds_run(ask_for_delay, &q);
		if (q.delay == RUN_DELAY_UNKNOWN)
			atomic_store(&mon->lives.refused, true);
	}
	if (!move_life(s, SLOT_LIFE_ENDING, SLOT_LIFE_OVER, &sealed))
		return;
	add_ended_ran(thread_life_ran(s, cpu), sealed);
	add_ended_delay(off, thread_life_delay(s->life.delay, off, q.delay),
	    sealed);
}

void
thread_life_ask_first(void)
{
	uint64_t delay, off;

	if (atomic_exchange(&mon->lives.first_asked, true))
		return;
	delay = run_delay_read(0);
	if (delay == RUN_DELAY_UNKNOWN)
		return;
	off = time_off(sys_clock(CLOCK_MONOTONIC) - mon->lives.birth_mono,
	    mon->lives.first_cpu, cpu_timer_thread_time(mon->pid));
	mon->lives.first_delay = delay;
	atomic_fetch_add(&mon->lives.unasked, off < delay ? off : delay);
}

void
thread_life_set_new(struct thread_slot *s)
{
	s->life.found = false;
	s->life.born = sys_clock(CLOCK_MONOTONIC);
	s->life.cpu = cpu_timer_thread_time(s->tid);
	s->life.delay = 0;
}

void
thread_life_set_found(struct thread_slot *s)
{
	const uint64_t cpu = cpu_timer_thread_time(s->tid);
	const uint64_t delay = run_delay_read(s->tid);
	const uint64_t past = cpu + (delay == RUN_DELAY_UNKNOWN ? 0 : delay);
	const uint64_t now = sys_clock(CLOCK_MONOTONIC);

	/* Otherwise it lived before the image began for us. */
	s->life.found = past <= now - mon->lives.birth_mono;
	s->life.born = s->life.found ? now - past : now;
	s->life.cpu = s->life.found ? 0 : cpu;
	s->life.delay = s->life.found && delay != RUN_DELAY_UNKNOWN ? 0 : delay;
}

void
thread_life_set_met(struct thread_slot *s)
{
	struct delay_question q = { sys_gettid(), RUN_DELAY_UNKNOWN };

	s->life.found = false;
	if (!proc_info_filter_came())
		private_fds_run(ask_for_delay, &q);
	s->life.born = sys_clock(CLOCK_MONOTONIC);
	s->life.cpu = sys_clock(CLOCK_THREAD_CPUTIME_ID);
	s->life.delay = q.delay;
}

/*
 * Takes back a life.  A helper of ours looks like one where a scan has found
 * it before it has said what it is.
 */
void
thread_life_drop(struct thread_slot *s)
{
	bool sealed;

	if (!move_life(s, SLOT_LIFE_OPEN, SLOT_LIFE_OVER, &sealed))
		return;
	atomic_fetch_sub(&mon->lives.count, 1);
	atomic_fetch_sub(&mon->lives.unseen, s->life.found);
	change_account(s->life.born, -1u);
}

void
thread_life_lost(struct thread_slot *s)
{
	const uint64_t ran = thread_life_ran(s, s->cpu.ns);
	bool sealed;

	/* A helper of ours that a scan took for a thread of the program. */
	if (ran == 0 && s->life.found)
		thread_life_drop(s);
	if (!move_life(s, SLOT_LIFE_OPEN, SLOT_LIFE_OVER, &sealed))
		return;
	atomic_fetch_add(&mon->lives.unseen, !s->life.found);
	change_account(s->life.born + ran, -1u);
	add_ended_ran(ran, sealed);
}

void
thread_life_write(struct format_header *h)
{
	struct thread_lives *l = &mon->lives;

	if ((h->sums & FORMAT_SUMS_FINAL) != 0)
		return;
	h->lives = atomic_load(&l->count);
	write_lives(h);
	h->delay_ns = atomic_load(&l->delay);
	h->unasked_ns = atomic_load(&l->unasked);
	h->unseen = atomic_load(&l->unseen);
	if (atomic_load(&l->refused))
		h->sums |= FORMAT_SUMS_REFUSED;
}
