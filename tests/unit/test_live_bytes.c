/* Context: O.  Tests of core/hot/heap_live/live_bytes.c. */
#include "heap_live/live_bytes.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>

#define THREADS	8u
#define EACH	40u	/* more than a page together */

static struct live_bytes_counter *taken[THREADS][EACH];

TestSuite(live_bytes, .init = target_init, .fini = target_fini);

static void *
take(void *to)
{
	struct live_bytes_counter **s = to;

	for (unsigned i = 0; i < EACH; i++) {
		s[i] = live_bytes_create();
		live_bytes_reset(s[i], 7);
		atomic_store(&s[i]->live, 1);
	}
	return NULL;
}

Test(live_bytes, each_is_anothers_and_all_are_summed)
{
	pthread_t thread[THREADS];
	unsigned count;

	for (unsigned i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, take, taken[i]);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	/* One that is given out twice would make one less. */
	cr_expect_eq(live_bytes_snapshot(7, &count), THREADS * EACH);
	cr_expect_eq(live_bytes_sum(7), THREADS * EACH);
	cr_expect_eq(count, THREADS * EACH);
	cr_expect_eq(live_bytes_snapshot(8, &count), 0);
	cr_expect_eq(count, 0);
}

Test(live_bytes, none_is_in_a_store_before_it_begins)
{
	struct live_bytes_counter *s = live_bytes_create();
	unsigned count;

	atomic_store(&s->live, 5);
	cr_expect_eq(live_bytes_snapshot(0, &count), 0);
	cr_expect_eq(count, 0);
	live_bytes_reset(s, 0);
	cr_expect_eq(live_bytes_snapshot(0, &count), 0);
	cr_expect_eq(count, 1);
}

Test(live_bytes, half_is_for_who_asks_and_the_rest_for_all)
{
	struct live_bytes_counter *s[3];
	unsigned count;

	for (unsigned i = 0; i < 3; i++) {
		s[i] = live_bytes_create();
		live_bytes_reset(s[i], 1);
		atomic_store(&s[i]->live, 10 * i);
	}
	cr_expect_eq(live_bytes_snapshot(1, &count), 30);
	atomic_store(&s[0]->live, 7);	/* of its part */
	live_bytes_set_limits(s[1], 100, count);
	cr_expect_eq(atomic_load(&s[0]->limit), 25);
	cr_expect_eq(atomic_load(&s[1]->limit), 10 + 50);
	cr_expect_eq(atomic_load(&s[2]->limit), 20 + 25);
	cr_expect(!live_bytes_exceeds_limit(1));
	atomic_store(&s[2]->live, 46);
	cr_expect(live_bytes_exceeds_limit(1));
	live_bytes_expire_limits();
	for (unsigned i = 0; i < 3; i++)
		cr_expect_eq(atomic_load(&s[i]->limit), INT64_MIN);
}
