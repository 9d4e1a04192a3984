/* Context: O.  Tests of core/hot/thread/thread_slot.c. */
#include "target.h"

#include "thread/thread_slot.h"
#include "thread/thread_slot_each.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(thread_slot, .init = target_init, .fini = target_fini);

/* As thread_run() leaves it. */
static struct thread_slot *
live(int tid)
{
	struct thread_slot *s = thread_slot_take();

	cr_assert_not_null(s);
	s->tid = tid;
	atomic_store(&s->state, THREAD_SLOT_LIVE);
	atomic_fetch_add(&mon->live, 1);
	return s;
}

/* The number of a process, and so of a thread, that is gone. */
static int
gone(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	return pid;
}

Test(thread_slot, each_is_another)
{
	struct thread_slot *s[3 * THREAD_SLOT_CHUNK];

	for (unsigned i = 0; i < 3 * THREAD_SLOT_CHUNK; i++) {
		s[i] = thread_slot_take();
		cr_assert_not_null(s[i]);
		cr_expect_eq(atomic_load(&s[i]->state), THREAD_SLOT_TAKEN);
		cr_expect(thread_slot_is_valid(s[i]));
		for (unsigned j = 0; j < i; j++)
			cr_assert_neq(s[i], s[j]);
	}
	cr_expect_eq(atomic_load(&mon->chunks), 3);
	cr_expect_eq(target_loss(LOSS_THREAD_SLOT), 0);
}

Test(thread_slot, addresses_of_none)
{
	char *p = (char *)mon->first_chunk, on_stack;

	for (unsigned i = 0; i <= THREAD_SLOT_CHUNK; i++)
		thread_slot_take();	/* one of a second chunk */
	cr_expect_not(thread_slot_is_valid(NULL));
	cr_expect_not(thread_slot_is_valid(&on_stack));
	cr_expect(thread_slot_is_valid(p));
	cr_expect_not(thread_slot_is_valid(p + 1));
	cr_expect_not(thread_slot_is_valid(p - sizeof(struct thread_slot)));
	cr_expect(thread_slot_is_valid(p + (THREAD_SLOT_CHUNK - 1) *
	    sizeof(struct thread_slot)));
	cr_expect_not(thread_slot_is_valid(p + THREAD_SLOT_CHUNK *
	    sizeof(struct thread_slot)));
	p = (char *)thread_slot_chunk(1);
	cr_expect(thread_slot_is_valid(p));
	cr_expect_not(thread_slot_is_valid(p + 8));
	cr_expect_not(thread_slot_is_valid((void *)UINTPTR_MAX));
}

Test(thread_slot, no_more)
{
	struct thread_slot *full = thread_slot_chunk(0);

	for (unsigned i = 0; i < THREAD_SLOT_CHUNK; i++)
		cr_assert_not_null(thread_slot_take());
	atomic_store(&mon->chunks, THREAD_SLOT_CHUNKS);
	atomic_store(&mon->fresh, THREAD_SLOT_CHUNKS * THREAD_SLOT_CHUNK);
	for (unsigned i = 0; i < THREAD_SLOT_CHUNKS - 1; i++)
		atomic_store(&mon->more_chunks[i], full);
	cr_expect_null(thread_slot_take());
	cr_expect_eq(target_loss(LOSS_THREAD_SLOT), 1);
}

Test(thread_slot, no_new_chunk_behind_seccomp)
{
	atomic_store(&mon->frozen, true);
	for (unsigned i = 0; i < THREAD_SLOT_CHUNK; i++)
		cr_assert_not_null(thread_slot_take());
	cr_expect_null(thread_slot_take());
	cr_expect_eq(atomic_load(&mon->chunks), 1);
	cr_expect_eq(target_loss(LOSS_THREAD_SLOT), 1);
}

Test(thread_slot, found_by_its_thread)
{
	struct thread_slot *s = live(100), *t = thread_slot_take();

	t->tid = 101;		/* not live yet */
	cr_expect_eq(thread_slot_of_tid(100), s);
	cr_expect_null(thread_slot_of_tid(101));
	cr_expect_null(thread_slot_of_tid(102));
	cr_expect_eq(thread_slot_count(100), 1);
	cr_expect_eq(thread_slot_count(101), 0);
	live(100);
	cr_expect_eq(thread_slot_count(100), 2);
	atomic_store(&s->state, THREAD_SLOT_ENDED);
	cr_expect_eq(thread_slot_count(100), 1);
}

static void
add_generation(struct thread_slot *s, void *arg)
{
	*(unsigned *)arg += s->records.generation;
}

Test(thread_slot, each_is_visited)
{
	const unsigned n = THREAD_SLOT_CHUNK + 10;
	struct thread_slot *s, *fifth = NULL;
	unsigned sum = 0;

	for (unsigned i = 1; i <= n; i++) {
		s = live(gettid());
		s->records.generation = i;
		fifth = i == 5 ? s : fifth;
	}
	thread_slot_abandon(fifth);
	thread_slot_for_each(add_generation, &sum);
	cr_expect_eq(sum, n * (n + 1) / 2 - 5);
}

Test(thread_slot, dropped)
{
	struct thread_slot *s = live(100);
	char stack;

	s->stack.alt = &stack;
	s->records.thread = 5;
	s->pending.ns = 7;
	thread_slot_abandon(s);
	cr_expect_eq(atomic_load(&s->state), THREAD_SLOT_FREE);
	cr_expect_eq(atomic_load(&mon->live), 0);
	cr_expect_eq(thread_slot_take(), s);
	cr_expect_eq(s->stack.alt, &stack, "its stack is kept");
	cr_expect_eq(s->tid, 0);
	cr_expect_eq(s->records.thread, 0);
	cr_expect_eq(s->pending.ns, 0);
	/* Not live: nothing happens. */
	thread_slot_abandon(s);
	cr_expect_eq(atomic_load(&s->state), THREAD_SLOT_TAKEN);
	cr_expect_eq(atomic_load(&mon->live), 0);
}

Test(thread_slot, reclaimed)
{
	struct thread_slot *here = live(gettid()), *taken = thread_slot_take();
	struct thread_slot *lost = live(gone()), *counted = live(gone());
	struct thread_slot *ended = live(gone());

	taken->tid = gone();
	/* it has a record, without its last time */
	counted->records.thread = 9;
	ended->records.thread = 9;
	atomic_store(&ended->state, THREAD_SLOT_ENDED);
	atomic_fetch_sub(&mon->live, 1);
	thread_slot_reclaim();
	cr_expect_eq(atomic_load(&here->state), THREAD_SLOT_LIVE);
	cr_expect_eq(atomic_load(&taken->state), THREAD_SLOT_TAKEN);
	cr_expect_eq(atomic_load(&lost->state), THREAD_SLOT_FREE);
	cr_expect_eq(atomic_load(&counted->state), THREAD_SLOT_FREE);
	cr_expect_eq(atomic_load(&ended->state), THREAD_SLOT_FREE);
	cr_expect_eq(atomic_load(&mon->live), 1);
	cr_expect_eq(target_loss(LOSS_TAIL), 1);
}

/* A thread ends while the helper of clock=wall records where it slept. */
Test(thread_slot, not_reclaimed_in_a_record)
{
	struct thread_slot *s = live(gone());

	s->records.thread = 9;
	atomic_store(&s->busy, 1);
	thread_slot_reclaim();
	cr_expect_eq(atomic_load(&s->state), THREAD_SLOT_LIVE);
	cr_expect_eq(s->records.thread, 9);
	atomic_store(&s->busy, 0);
	thread_slot_reclaim();
	cr_expect_eq(atomic_load(&s->state), THREAD_SLOT_FREE);
	cr_expect_eq(atomic_load(&s->busy), 0);
}

static void *
retire_twin_of(void *slot)
{
	thread_slot_drop_duplicate(slot);
	return NULL;
}

Test(thread_slot, retired_behind_a_record, .timeout = 60)
{
	struct thread_slot *s = live(100), *twin = live(100);
	pthread_t thread;

	s->records.thread = 9;
	atomic_store(&s->busy, 1);
	pthread_create(&thread, NULL, retire_twin_of, twin);
	while (atomic_load(&s->state) == THREAD_SLOT_LIVE)
		usleep(100);
	usleep(20000);
	cr_expect_eq(atomic_load(&s->state), THREAD_SLOT_TAKEN);
	cr_expect_eq(s->records.thread, 9);
	atomic_store(&s->busy, 0);
	pthread_join(thread, NULL);
	cr_expect_eq(atomic_load(&s->state), THREAD_SLOT_FREE);
}

Test(thread_slot, reclaimed_before_a_chunk_is_added)
{
	struct thread_slot *s = live(gone());

	for (unsigned i = 1; i < THREAD_SLOT_CHUNK; i++)
		live(gettid());
	cr_expect_eq(thread_slot_take(), s);
	cr_expect_eq(atomic_load(&mon->chunks), 1);
}

Test(thread_slot, not_reclaimed_behind_seccomp)
{
	struct thread_slot *s = live(gone());

	atomic_store(&mon->frozen, true);
	thread_slot_reclaim();
	cr_expect_eq(atomic_load(&s->state), THREAD_SLOT_LIVE);
}

Test(thread_slot, twins)
{
	struct thread_slot *adopted = live(100), *other = live(101), *s =
	    live(100);

	s->native = true;
	thread_slot_drop_duplicate(s);
	cr_expect_eq(atomic_load(&adopted->state), THREAD_SLOT_FREE);
	cr_expect_eq(atomic_load(&other->state), THREAD_SLOT_LIVE);
	cr_expect_eq(atomic_load(&s->state), THREAD_SLOT_LIVE);
	cr_expect_eq(atomic_load(&mon->live), 2);
}

/* A slot has one owner at a time, however fast it goes from hand to hand. */
#define RACERS	4
#define RACE_NS	1000000000u

static pthread_barrier_t begin;
static _Atomic(int) owner[THREAD_SLOT_CHUNK];
static _Atomic(unsigned) doubles;

static void *
race(void *arg)
{
	int me = (int)(intptr_t)arg;

	uint64_t end;

	pthread_barrier_wait(&begin);
	end = sys_clock(CLOCK_MONOTONIC) + RACE_NS;
	while (sys_clock(CLOCK_MONOTONIC) < end) {
		struct thread_slot *s = thread_slot_take();
		int none = 0;

		if (!atomic_compare_exchange_strong(&owner[s -
		    mon->first_chunk], &none, me))
			atomic_fetch_add(&doubles, 1);
		s->tid = me;
		atomic_fetch_add(&mon->live, 1);
		atomic_store(&s->state, THREAD_SLOT_LIVE);
		if (s->tid != me)
			atomic_fetch_add(&doubles, 1);
		atomic_store(&owner[s - mon->first_chunk], 0);
		thread_slot_abandon(s);
	}
	return NULL;
}

Test(thread_slot, one_owner_at_a_time, .timeout = 60)
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
	for (int i = 0; i < THREAD_SLOT_CHUNK; i++)
		cr_assert_eq(atomic_load(&mon->first_chunk[i].state),
		    THREAD_SLOT_FREE);
}

/* Many at once add chunks: each gets a slot of its own. */
static struct thread_slot *taken[RACERS][400];

static void *
take_many(void *arg)
{
	struct thread_slot **to = arg;

	for (unsigned i = 0; i < 400; i++)
		to[i] = thread_slot_take();
	return NULL;
}

Test(thread_slot, chunks_added_by_many, .timeout = 60)
{
	struct thread_slot **all = &taken[0][0];
	pthread_t thread[RACERS];

	for (int i = 0; i < RACERS; i++)
		pthread_create(&thread[i], NULL, take_many, taken[i]);
	for (int i = 0; i < RACERS; i++)
		pthread_join(thread[i], NULL);
	for (unsigned i = 0; i < RACERS * 400; i++) {
		cr_assert_not_null(all[i]);
		cr_assert(thread_slot_is_valid(all[i]));
		for (unsigned j = 0; j < i; j++)
			cr_assert_neq(all[i], all[j]);
	}
	cr_expect_leq(atomic_load(&mon->chunks), 25 + RACERS);
}
