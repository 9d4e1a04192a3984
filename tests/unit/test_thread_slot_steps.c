/*
 * Context: O.  Test of core/hot/thread/thread_slot.c and thread_slot_index.c:
 * the steps for one thread do not grow with the number of threads.
 */
#define THREAD_SLOT_STEP	steps++

static unsigned long steps;

#include "../../core/hot/thread/thread_slot_index.c"

#include "../../core/hot/thread/thread_slot.c"
#include "thread/thread_slot_each.h"

#include "target.h"

#include <criterion/criterion.h>
#include <unistd.h>

TestSuite(thread_slot_steps, .init = target_init, .fini = target_fini);

#define FIRST_TID	1000000	/* kernels give no thread such a number */

static void
visit(struct thread_slot *s, void *arg)
{
	(void)s;
	(*(unsigned *)arg)++;
}

/* Enters a slot as thread.c does.  The tid must be that of a living thread. */
static struct thread_slot *
begin(int tid)
{
	struct thread_slot *s = thread_slot_take();

	cr_assert_not_null(s);
	s->tid = tid;
	s->native = true;
	atomic_store(&s->state, THREAD_SLOT_LIVE);
	atomic_fetch_add(&mon->live, 1);
	thread_slot_index_add(s);
	thread_slot_drop_duplicate(s);
	return s;
}

/* Returns the most steps of one call among these threads. */
static unsigned long
most_steps(unsigned from, unsigned to)
{
	unsigned long most = 0;

	for (unsigned i = from; i < to; i++) {
		const int tid = FIRST_TID + (int)i;
		struct thread_slot *s = thread_slot_of_tid(tid);

		steps = 0;
		cr_assert_not_null(s);
		cr_assert_eq(thread_slot_of_tid(tid), s);
		cr_assert_eq(thread_slot_count(tid), 1);
		cr_assert(thread_slot_is_valid(s));
		cr_assert_not(thread_slot_is_valid((char *)s + 8));
		thread_slot_drop_duplicate(s);
		most = steps > most ? steps : most;
	}
	return most;
}

Test(thread_slot_steps, of_ten_thousand_threads, .timeout = 60)
{
	const unsigned few = THREAD_SLOT_CHUNK + 10, many = 10000;
	unsigned long first, all;
	unsigned visited = 0;

	/*
	 * No thread has ended: asking the kernel about each would be in vain.
	 */
	atomic_store(&mon->reclaim_at, UINT_MAX);
	for (unsigned i = 0; i < few; i++)
		begin(FIRST_TID + (int)i);
	first = most_steps(0, few);
	for (unsigned i = few; i < many; i++) {
		steps = 0;
		begin(FIRST_TID + (int)i);
		cr_assert_leq(steps, THREAD_SLOT_CHUNK + 3 * WAYS + 20,
		    "%u: %lu", i, steps);
	}
	all = most_steps(0, many);
	cr_expect_leq(all, first + 60, "%lu steps, %lu of few threads", all,
	    first);
	thread_slot_for_each(visit, &visited);
	cr_expect_eq(visited, many);
}

/* Slots are looked through for the dead once for half as many new threads. */
Test(thread_slot_steps, of_looking_for_the_dead, .timeout = 60)
{
	const unsigned many = 5000;

	steps = 0;
	for (unsigned i = 0; i < many; i++) {
		struct thread_slot *s = begin(FIRST_TID + (int)i);

		s->tid = gettid();	/* one that lives */
	}
	cr_expect_leq(steps / many, 2 * THREAD_SLOT_CHUNK + 100, "%lu a thread",
	    steps / many);
}

/*
 * New threads are found after others end, and the slots of the dead are used
 * again.
 */
Test(thread_slot_steps, of_threads_that_come_and_go, .timeout = 60)
{
	static struct thread_slot *all[1000];

	atomic_store(&mon->reclaim_at, UINT_MAX);
	for (unsigned i = 0; i < 300000; i++) {
		struct thread_slot **s = &all[i % 1000];

		if (*s != NULL) {
			cr_assert_eq(thread_slot_of_tid((*s)->tid), *s);
			thread_slot_abandon(*s);
		}
		*s = begin(FIRST_TID + (int)i);
	}
	cr_expect_not(atomic_load(&mon->index_full));
	cr_expect_leq(atomic_load(&mon->chunks), 17);
	cr_expect_leq(most_steps(299000, 300000), 2 * THREAD_SLOT_CHUNK * 3);
}

/* A place holds fewer threads than hash to it; each is found all the same. */
Test(thread_slot_steps, of_a_crowded_place, .timeout = 60)
{
	atomic_store(&mon->reclaim_at, UINT_MAX);
	for (unsigned i = 0; i < THREAD_SLOT_CHUNK + 2 * WAYS; i++)
		begin((int)(i + 1) * (THREADS / WAYS));
	cr_expect(atomic_load(&mon->index_full));
	for (unsigned i = 0; i < THREAD_SLOT_CHUNK + 2 * WAYS; i++)
		cr_expect_not_null(thread_slot_of_tid((int)(i + 1) * (THREADS /
		    WAYS)));
}
