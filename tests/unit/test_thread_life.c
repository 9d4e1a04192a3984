/* Context: O.  Tests of core/hot/thread/thread_life.c: lives are added up. */
#include "thread/thread_life.h"

#include "target.h"
#include "thread/run_delay.h"
#include "thread/thread_slot.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <unistd.h>

#define MS	1000000u

static struct format_header h;

static void
start(void)
{
	target_init();
	mon->lives.birth_mono = 100 * MS;
	h = (struct format_header) { .cpu_mono = 1000 * MS };
}

TestSuite(thread_life, .init = start, .fini = target_fini, .timeout = 60);

static struct thread_slot *
born(uint64_t ms)
{
	struct thread_slot *s = thread_slot_take();

	cr_assert_not_null(s);
	s->life.born = ms * MS;
	s->life.cpu = s->life.delay = 0;
	thread_life_begin(s);
	return s;
}

Test(thread_life, adds_up_the_living)
{
	thread_life_write(&h);
	cr_expect_eq(h.lives, 0);
	born(100);
	born(400);
	thread_life_write(&h);
	cr_expect_eq(h.lives, 2);
	cr_expect_eq(h.living, 2);
	cr_expect_eq(h.lived_ns, 1500 * MS);
	h.cpu_mono = 2000 * MS;
	thread_life_write(&h);
	cr_expect_eq(h.lived_ns, 3500 * MS);
}

Test(thread_life, takes_back_a_second_slot)
{
	struct thread_slot *s;

	born(100);
	s = born(400);
	thread_life_drop(s);
	thread_life_drop(s);
	thread_life_write(&h);
	cr_expect_eq(h.lives, 1);
	cr_expect_eq(h.living, 1);
	cr_expect_eq(h.lived_ns, 900 * MS);
}

/* The CPU time of a thread that has gone unseen is known. */
Test(thread_life, ends_the_lost_at_their_cpu_time)
{
	struct thread_slot *s = born(400);

	s->cpu.ns = 70 * MS;
	thread_life_lost(s);
	thread_life_write(&h);
	cr_expect_eq(h.lives, 1);
	cr_expect_eq(h.unseen, 1);
	cr_expect_eq(h.living, 0);
	cr_expect_eq(h.lived_ns, 70 * MS);
	/* One that a scan has found and that never ran is a helper of ours. */
	s = born(500);
	s->life.found = true;
	atomic_fetch_add(&mon->lives.unseen, 1);
	thread_life_lost(s);
	thread_life_write(&h);
	cr_expect_eq(h.lives, 1);
	cr_expect_eq(h.unseen, 1);
	/* A cancelled thread may have slept without a tick. */
	thread_life_lost(born(600));
	thread_life_write(&h);
	cr_expect_eq(h.lives, 2);
	cr_expect_eq(h.unseen, 2);
}

/* A tick that interrupts a change keeps the sums before it. */
Test(thread_life, reads_no_half_of_a_change)
{
	born(100);
	thread_life_write(&h);
	atomic_fetch_add(&mon->lives.begun, 1);
	atomic_fetch_add(&mon->lives.open, 1);
	thread_life_write(&h);
	cr_expect_eq(h.living, 1);
	cr_expect_eq(h.lived_ns, 900 * MS);
}

Test(thread_life, leaves_the_final_sums)
{
	h.sums = FORMAT_SUMS_FINAL;
	h.lived_ns = h.delay_ns = 7;
	born(100);
	thread_life_write(&h);
	cr_expect_eq(h.lived_ns, 7);
	cr_expect_eq(h.delay_ns, 7);
}

/* The thread's arguments and results. */
struct nap {
	unsigned us;
	bool sealed;		/* an exec seals its life before its end */
	uint64_t off;		/* at least, ns */
};

static void *
take_nap(void *nap)
{
	struct nap *n = nap;
	struct thread_slot *s = thread_slot_take();
	const uint64_t before = sys_clock(CLOCK_THREAD_CPUTIME_ID);

	s->tid = sys_gettid();
	s->life.born = sys_clock(CLOCK_MONOTONIC);
	s->life.cpu = before;
	s->life.delay = 0;
	thread_life_begin(s);
	usleep(n->us);
	if (n->sealed)
		atomic_fetch_or(&s->life.state, SLOT_LIFE_SEALED);
	thread_life_end(s);
	n->off = thread_life_off(s, 0, sys_clock(CLOCK_THREAD_CPUTIME_ID));
	return NULL;
}

static void
nap(struct nap *n)
{
	pthread_t t;

	cr_assert_eq(pthread_create(&t, NULL, take_nap, n), 0);
	cr_assert_eq(pthread_join(t, NULL), 0);
}

Test(thread_life, asks_who_was_long_without_a_processor)
{
	struct nap n = { .us = 300000 };
	unsigned files = target_descriptors();

	if (run_delay_read(0) == RUN_DELAY_UNKNOWN)
		cr_skip_test("no schedstat");
	config.clock = FORMAT_CLOCK_WALL;
	nap(&n);
	cr_expect_eq(target_descriptors(), files);
	thread_life_write(&h);
	cr_expect_eq(h.living, 0);
	cr_expect_eq(h.unasked_ns, 0);
	cr_expect_geq(h.lived_ns, 300 * MS);
	cr_expect_lt(h.delay_ns, n.off);
	cr_expect_eq(h.sums & FORMAT_SUMS_REFUSED, 0);
}

Test(thread_life, says_whom_it_has_not_asked)
{
	struct nap n = { .us = 300000 };

	nap(&n);
	thread_life_write(&h);
	cr_expect_geq(h.unasked_ns, n.off);
	cr_expect_leq(h.unasked_ns, h.lived_ns);
	cr_expect_eq(h.delay_ns, 0);
}

/* The seal takes it from the CPU time of the process: the rest has no life. */
Test(thread_life, adds_up_the_cpu_time_of_the_ended)
{
	struct nap n = { .us = 1000 };
	struct thread_slot *s;

	nap(&n);
	cr_expect_gt(mon->lives.ran, 0);
	cr_expect_leq(mon->lives.ran, h.cpu_mono);
	mon->lives.ran = 0;
	s = born(400);
	s->life.cpu = 30 * MS;
	s->cpu.ns = 70 * MS;
	thread_life_lost(s);
	cr_expect_eq(mon->lives.ran, 40 * MS);
	cr_expect_eq(thread_life_ran(s, 20 * MS), 0);
}

/* The seal has added it up, which is taken back if the exec fails. */
Test(thread_life, ends_while_an_exec_has_sealed_it)
{
	struct nap n = { .us = 1000, .sealed = true };

	nap(&n);
	thread_life_write(&h);
	cr_expect_eq(h.unasked_ns, 0);
	cr_expect_eq(mon->lives.ran, 0);
	cr_expect_eq(h.living, 0);
	cr_expect_geq(h.lived_ns, n.off);
	thread_life_add_late();
	cr_expect_gt(mon->lives.ran, 0);
	thread_life_add_late();
	thread_life_write(&h);
	cr_expect_geq(h.unasked_ns, n.off);
	cr_expect_leq(h.unasked_ns, h.lived_ns);
}

Test(thread_life, begins_behind_the_seal)
{
	cr_expect_eq(thread_life_off(born(2000), 1000 * MS, 0), 0);
	cr_expect_eq(thread_life_off(born(400), 1000 * MS, 0), 600 * MS);
}

Test(thread_life, waits_no_longer_than_it_lives)
{
	cr_expect_eq(thread_life_delay(3, 10, 7), 4);
	cr_expect_eq(thread_life_delay(0, 5, 7), 5);
	cr_expect_eq(thread_life_delay(9, 5, 7), 0);
	cr_expect_eq(thread_life_delay(RUN_DELAY_UNKNOWN, 5, 7),
	    RUN_DELAY_UNKNOWN);
	cr_expect_eq(thread_life_delay(3, 5, RUN_DELAY_UNKNOWN),
	    RUN_DELAY_UNKNOWN);
}

/* Its waiting before that is in no life of this image. */
Test(thread_life, begins_where_the_thread_is_met)
{
	struct thread_slot *s = thread_slot_take();
	const uint64_t before = run_delay_read(sys_gettid());

	s->tid = sys_gettid();
	s->life.delay = 7;
	thread_life_set_met(s);
	cr_expect_geq(s->life.delay, before);
	cr_expect_neq(s->life.delay, 7);
	cr_expect_geq(s->life.born, mon->lives.birth_mono);
	cr_expect_geq(s->life.cpu, 1);
}

/* An exec keeps the number, so a part of it may be of earlier images. */
Test(thread_life, asks_the_first_thread_once)
{
	mon->cpu_birth_ns = 0;
	mon->lives.birth_mono = sys_clock(CLOCK_MONOTONIC);
	mon->lives.first_asked = true;		/* a fork's child */
	thread_life_ask_first();
	cr_expect_eq(mon->lives.first_delay, 0);
	mon->lives.first_asked = false;
	thread_life_ask_first();
	cr_expect_eq(mon->lives.first_delay == 0, run_delay_read(0) == 0 ||
	    run_delay_read(0) == RUN_DELAY_UNKNOWN);
	cr_expect_leq(mon->lives.unasked, mon->lives.first_delay);
	cr_expect_leq(mon->lives.unasked, sys_clock(CLOCK_MONOTONIC) -
	    mon->lives.birth_mono);
	mon->lives.first_delay = 7;
	thread_life_ask_first();
	cr_expect_eq(mon->lives.first_delay, 7);
}

Test(thread_life, asks_the_living)
{
	if (run_delay_read(0) == RUN_DELAY_UNKNOWN)
		cr_skip_test("no schedstat");
	cr_expect_neq(run_delay_read(sys_gettid()), RUN_DELAY_UNKNOWN);
	cr_expect_eq(run_delay_read(0x3fffffff), RUN_DELAY_UNKNOWN);
}
