/* Context: O.  Tests of core/hot/slot.c. */
#include "slot.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(slot, .init = target_init, .fini = target_fini);

/* As thread_run() leaves it. */
static struct slot *
live(int tid)
{
	struct slot *s = slot_take();

	cr_assert_not_null(s);
	s->tid = tid;
	atomic_store(&s->state, SLOT_LIVE);
	atomic_fetch_add(&mon->live, 1);
	return s;
}

/* Of a process, and so of a thread, that is gone. */
static int
gone(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	return pid;
}

Test(slot, each_is_another)
{
	struct slot *s[3 * SLOT_CHUNK];

	for (unsigned i = 0; i < 3 * SLOT_CHUNK; i++) {
		s[i] = slot_take();
		cr_assert_not_null(s[i]);
		cr_expect_eq(atomic_load(&s[i]->state), SLOT_TAKEN);
		cr_expect(slot_valid(s[i]));
		for (unsigned j = 0; j < i; j++)
			cr_assert_neq(s[i], s[j]);
	}
	cr_expect_eq(atomic_load(&mon->chunks), 3);
	cr_expect_eq(target_loss(LOSS_THREAD_SLOT), 0);
}

Test(slot, addresses_of_none)
{
	char *p = (char *)mon->first_chunk, on_stack;

	for (unsigned i = 0; i <= SLOT_CHUNK; i++)
		slot_take();	/* one of a second chunk */
	cr_expect_not(slot_valid(NULL));
	cr_expect_not(slot_valid(&on_stack));
	cr_expect(slot_valid(p));
	cr_expect_not(slot_valid(p + 1));
	cr_expect_not(slot_valid(p - sizeof(struct slot)));
	cr_expect(slot_valid(p + (SLOT_CHUNK - 1) * sizeof(struct slot)));
	cr_expect_not(slot_valid(p + SLOT_CHUNK * sizeof(struct slot)));
	p = (char *)slot_chunk(1);
	cr_expect(slot_valid(p));
	cr_expect_not(slot_valid(p + 8));
	cr_expect_not(slot_valid((void *)UINTPTR_MAX));
}

Test(slot, no_more)
{
	struct slot *full = slot_chunk(0);

	for (unsigned i = 0; i < SLOT_CHUNK; i++)
		cr_assert_not_null(slot_take());
	atomic_store(&mon->chunks, SLOT_CHUNKS);
	atomic_store(&mon->fresh, SLOT_CHUNKS * SLOT_CHUNK);
	for (unsigned i = 0; i < SLOT_CHUNKS - 1; i++)
		atomic_store(&mon->more_chunks[i], full);
	cr_expect_null(slot_take());
	cr_expect_eq(target_loss(LOSS_THREAD_SLOT), 1);
}

Test(slot, no_new_chunk_behind_seccomp)
{
	atomic_store(&mon->frozen, true);
	for (unsigned i = 0; i < SLOT_CHUNK; i++)
		cr_assert_not_null(slot_take());
	cr_expect_null(slot_take());
	cr_expect_eq(atomic_load(&mon->chunks), 1);
	cr_expect_eq(target_loss(LOSS_THREAD_SLOT), 1);
}

Test(slot, found_by_its_thread)
{
	struct slot *s = live(100), *t = slot_take();

	t->tid = 101;		/* not live yet */
	cr_expect_eq(slot_of(100), s);
	cr_expect_null(slot_of(101));
	cr_expect_null(slot_of(102));
	cr_expect_eq(slot_count(100), 1);
	cr_expect_eq(slot_count(101), 0);
	live(100);
	cr_expect_eq(slot_count(100), 2);
	atomic_store(&s->state, SLOT_ENDED);
	cr_expect_eq(slot_count(100), 1);
}

static void
add_generation(struct slot *s, void *arg)
{
	*(unsigned *)arg += s->generation;
}

Test(slot, each_is_visited)
{
	const unsigned n = SLOT_CHUNK + 10;
	struct slot *s, *fifth = NULL;
	unsigned sum = 0;

	for (unsigned i = 1; i <= n; i++) {
		s = live(gettid());
		s->generation = i;
		fifth = i == 5 ? s : fifth;
	}
	slot_drop(fifth);
	slot_each(add_generation, &sum);
	cr_expect_eq(sum, n * (n + 1) / 2 - 5);
}

Test(slot, dropped)
{
	struct slot *s = live(100);
	char stack;

	s->altstack = &stack;
	s->thread = 5;
	s->held_ns = 7;
	slot_drop(s);
	cr_expect_eq(atomic_load(&s->state), SLOT_FREE);
	cr_expect_eq(atomic_load(&mon->live), 0);
	cr_expect_eq(slot_take(), s);
	cr_expect_eq(s->altstack, &stack, "its stack is kept");
	cr_expect_eq(s->tid, 0);
	cr_expect_eq(s->thread, 0);
	cr_expect_eq(s->held_ns, 0);
	/* Not live: nothing happens. */
	slot_drop(s);
	cr_expect_eq(atomic_load(&s->state), SLOT_TAKEN);
	cr_expect_eq(atomic_load(&mon->live), 0);
}

Test(slot, reclaimed)
{
	struct slot *here = live(gettid()), *taken = slot_take();
	struct slot *lost = live(gone()), *counted = live(gone());
	struct slot *ended = live(gone());

	taken->tid = gone();
	counted->thread = 9;	/* it has a record, without its last time */
	ended->thread = 9;
	atomic_store(&ended->state, SLOT_ENDED);
	atomic_fetch_sub(&mon->live, 1);
	slot_reclaim();
	cr_expect_eq(atomic_load(&here->state), SLOT_LIVE);
	cr_expect_eq(atomic_load(&taken->state), SLOT_TAKEN);
	cr_expect_eq(atomic_load(&lost->state), SLOT_FREE);
	cr_expect_eq(atomic_load(&counted->state), SLOT_FREE);
	cr_expect_eq(atomic_load(&ended->state), SLOT_FREE);
	cr_expect_eq(atomic_load(&mon->live), 1);
	cr_expect_eq(target_loss(LOSS_TAIL), 1);
}

/* A thread ends while the helper of clock=wall records where it slept. */
Test(slot, not_reclaimed_in_a_record)
{
	struct slot *s = live(gone());

	s->thread = 9;
	atomic_store(&s->busy, 1);
	slot_reclaim();
	cr_expect_eq(atomic_load(&s->state), SLOT_LIVE);
	cr_expect_eq(s->thread, 9);
	atomic_store(&s->busy, 0);
	slot_reclaim();
	cr_expect_eq(atomic_load(&s->state), SLOT_FREE);
	cr_expect_eq(atomic_load(&s->busy), 0);
}

static void *
retire_twin_of(void *slot)
{
	slot_retire_twin(slot);
	return NULL;
}

Test(slot, retired_behind_a_record, .timeout = 60)
{
	struct slot *s = live(100), *twin = live(100);
	pthread_t thread;

	s->thread = 9;
	atomic_store(&s->busy, 1);
	pthread_create(&thread, NULL, retire_twin_of, twin);
	while (atomic_load(&s->state) == SLOT_LIVE)
		usleep(100);
	usleep(20000);
	cr_expect_eq(atomic_load(&s->state), SLOT_TAKEN);
	cr_expect_eq(s->thread, 9);
	atomic_store(&s->busy, 0);
	pthread_join(thread, NULL);
	cr_expect_eq(atomic_load(&s->state), SLOT_FREE);
}

Test(slot, reclaimed_before_a_chunk_is_added)
{
	struct slot *s = live(gone());

	for (unsigned i = 1; i < SLOT_CHUNK; i++)
		live(gettid());
	cr_expect_eq(slot_take(), s);
	cr_expect_eq(atomic_load(&mon->chunks), 1);
}

Test(slot, not_reclaimed_behind_seccomp)
{
	struct slot *s = live(gone());

	atomic_store(&mon->frozen, true);
	slot_reclaim();
	cr_expect_eq(atomic_load(&s->state), SLOT_LIVE);
}

Test(slot, twins)
{
	struct slot *adopted = live(100), *other = live(101), *s = live(100);

	s->native = true;
	slot_retire_twin(s);
	cr_expect_eq(atomic_load(&adopted->state), SLOT_FREE);
	cr_expect_eq(atomic_load(&other->state), SLOT_LIVE);
	cr_expect_eq(atomic_load(&s->state), SLOT_LIVE);
	cr_expect_eq(atomic_load(&mon->live), 2);
}

/* A slot has one owner at a time, however fast it goes from hand to hand. */
#define RACERS	4
#define RACE_NS	1000000000u

static pthread_barrier_t begin;
static _Atomic(int) owner[SLOT_CHUNK];
static _Atomic(unsigned) doubles;

static void *
race(void *arg)
{
	int me = (int)(intptr_t)arg;

	uint64_t end;

	pthread_barrier_wait(&begin);
	end = sys_clock(CLOCK_MONOTONIC) + RACE_NS;
	while (sys_clock(CLOCK_MONOTONIC) < end) {
		struct slot *s = slot_take();
		int none = 0;

		if (!atomic_compare_exchange_strong(&owner[s -
		    mon->first_chunk], &none, me))
			atomic_fetch_add(&doubles, 1);
		s->tid = me;
		atomic_fetch_add(&mon->live, 1);
		atomic_store(&s->state, SLOT_LIVE);
		if (s->tid != me)
			atomic_fetch_add(&doubles, 1);
		atomic_store(&owner[s - mon->first_chunk], 0);
		slot_drop(s);
	}
	return NULL;
}

Test(slot, one_owner_at_a_time, .timeout = 60)
{
	pthread_t thread[RACERS];

	pthread_barrier_init(&begin, NULL, RACERS);
	for (int i = 0; i < RACERS; i++)
		pthread_create(&thread[i], NULL, race,
		    (void *)(intptr_t)(i + 1));
	for (int i = 0; i < RACERS; i++)
		pthread_join(thread[i], NULL);
	cr_expect_eq(doubles, 0, "%u times two owners", doubles);
	cr_expect_eq(atomic_load(&mon->live), 0);
	for (int i = 0; i < SLOT_CHUNK; i++)
		cr_assert_eq(atomic_load(&mon->first_chunk[i].state),
		    SLOT_FREE);
}

/* Many at once add chunks: each gets a slot of its own. */
static struct slot *taken[RACERS][400];

static void *
take_many(void *arg)
{
	struct slot **to = arg;

	for (unsigned i = 0; i < 400; i++)
		to[i] = slot_take();
	return NULL;
}

Test(slot, chunks_added_by_many, .timeout = 60)
{
	struct slot **all = &taken[0][0];
	pthread_t thread[RACERS];

	for (int i = 0; i < RACERS; i++)
		pthread_create(&thread[i], NULL, take_many, taken[i]);
	for (int i = 0; i < RACERS; i++)
		pthread_join(thread[i], NULL);
	for (unsigned i = 0; i < RACERS * 400; i++) {
		cr_assert_not_null(all[i]);
		cr_assert(slot_valid(all[i]));
		for (unsigned j = 0; j < i; j++)
			cr_assert_neq(all[i], all[j]);
	}
	cr_expect_leq(atomic_load(&mon->chunks), 25 + RACERS);
}
