/* Context: O.  Tests of core/hot/count/arc_shard.c. */
#include "count/arc_shard.h"

#include "count/thread_arcs.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>

TestSuite(arc_shard, .init = target_init, .fini = target_fini);

static struct format_arc arcs[20000];

static uintptr_t
self_of(unsigned i)
{
	return 0x400000 + i * 48u;
}

static uintptr_t
from_of(unsigned i)
{
	return 0x7f0000400123u + i * 5u;
}

/* As count_claimed() of core/hot/arc.c does. */
static struct arc_shard *
enter(struct arc_shard *t, unsigned i)
{
	t = thread_arcs_make_room(t, self_of(i), from_of(i));
	arc_shard_add(t, self_of(i), from_of(i), &arcs[i]);
	return t;
}

Test(arc_shard, one_a_thread)
{
	struct arc_shard *t = thread_arcs_get();

	cr_assert_not_null(t);
	cr_expect_eq(thread_arcs_get(), t);
	cr_expect_eq(arc_shard_self, t);
	cr_expect_null(arc_shard_find(t, self_of(0), from_of(0)));
	enter(t, 0);
	cr_expect_eq(arc_shard_find(t, self_of(0), from_of(0)), &arcs[0].count);
	cr_expect_null(arc_shard_find(t, self_of(0), from_of(1)));
	cr_expect_null(arc_shard_find(t, self_of(1), from_of(0)));
}

/* An arc that a move found no room for may be missing: it is entered anew. */
Test(arc_shard, grows)
{
	struct arc_shard *t = thread_arcs_get(), *first = t;
	unsigned i, missing = 0;

	for (i = 0; i < 20000; i++) {
		t = enter(t, i);
		cr_assert_eq(arc_shard_find(t, self_of(i), from_of(i)),
		    &arcs[i].count);
	}
	cr_expect_neq(t, first);
	cr_expect_eq(arc_shard_self, t);
	for (i = 0; i < 20000; i++) {
		uint64_t *count = arc_shard_find(t, self_of(i), from_of(i));

		if (count == NULL)
			missing++;
		else
			cr_assert_eq(count, &arcs[i].count);
	}
	cr_expect_lt(missing, 20);
}

/* Known ones are led elsewhere, and so is what is entered meanwhile. */
Test(arc_shard, counts_elsewhere_while_paused)
{
	struct arc_shard *t = thread_arcs_get();
	unsigned i;

	for (i = 0; i < 300; i++)
		t = enter(t, i);
	arc_shard_set_paused(LINEAGE_PAUSED, true);
	for (i = 300; i < 1000; i++)
		t = enter(t, i);
	for (i = 0; i < 1000; i++) {
		uint64_t *count = arc_shard_find(t, self_of(i), from_of(i));

		if (count != NULL)
			cr_assert_eq(count, &t->unwanted, "%u", i);
	}
	arc_shard_set_paused(LINEAGE_PAUSED, false);
	for (i = 0; i < 1000; i++) {
		uint64_t *count = arc_shard_find(t, self_of(i), from_of(i));

		if (count != NULL)
			cr_assert_eq(count, &arcs[i].count, "%u", i);
	}
}

static _Atomic bool over;

static void *
pause_often(void *arg)
{
	while (!atomic_load(&over)) {
		arc_shard_set_paused(LINEAGE_PAUSED, true);
		arc_shard_set_paused(LINEAGE_PAUSED, false);
	}
	return arg;
}

/* Two pause, one enters: none is led astray for good. */
Test(arc_shard, pauses_beside_new_arcs)
{
	struct arc_shard *t = thread_arcs_get();
	pthread_t thread[2];
	unsigned i, k;

	for (k = 0; k < 2; k++)
		pthread_create(&thread[k], NULL, pause_often, NULL);
	for (i = 0; i < 20000; i++)
		t = enter(t, i);
	atomic_store(&over, true);
	for (k = 0; k < 2; k++)
		pthread_join(thread[k], NULL);
	cr_assert_not(atomic_load(&lineage.paused));
	for (i = 0; i < 20000; i++) {
		uint64_t *count = arc_shard_find(t, self_of(i), from_of(i));

		if (count != NULL)
			cr_assert_eq(count, &arcs[i].count, "%u", i);
	}
}

Test(arc_shard, forgets_what_was_unmapped)
{
	struct arc_shard *t = thread_arcs_get();
	struct format_arc other = {.self = 5};
	unsigned i, filled;

	for (i = 0; i < 100; i++)
		t = enter(t, i);
	arcs[7].self = 77;
	arc_shard_forget_text(self_of(7), self_of(8));
	cr_expect_null(arc_shard_find(t, self_of(7), from_of(7)));
	for (i = 0; i < 100; i++)
		if (i != 7)
			cr_assert_not_null(arc_shard_find(t, self_of(i),
			    from_of(i)));
	/* Another library's may come there, and the first again, by turns. */
	cr_expect_null(arc_shard_revive(t, self_of(7), from_of(7), &other));
	arc_shard_add(t, self_of(7), from_of(7), &other);
	cr_expect_eq(arc_shard_find(t, self_of(7), from_of(7)), &other.count);
	filled = t->filled;
	for (i = 0; i < 100; i++) {
		struct format_arc *a = i % 2 == 0 ? &arcs[7] : &other;

		arc_shard_forget_text(self_of(7), self_of(8));
		cr_assert_eq(arc_shard_revive(t, self_of(7), from_of(7), a), a);
		cr_assert_eq(arc_shard_find(t, self_of(7), from_of(7)),
		    &a->count);
	}
	cr_expect_eq(t->filled, filled);
	/* Nor may its callers be others. */
	arc_shard_forget_text(from_of(9), from_of(9) + 1);
	cr_expect_null(arc_shard_find(t, self_of(9), from_of(9)));
}

Test(arc_shard, clear)
{
	struct arc_shard *t = thread_arcs_get();

	enter(t, 1);
	t->arcs = 300;
	arc_shard_clear(t);
	cr_expect_null(arc_shard_find(t, self_of(1), from_of(1)));
	cr_expect_eq(t->arcs, 0);
	cr_expect_eq(t->filled, 0);
}

static void *
take(void *leave)
{
	struct arc_shard *t = thread_arcs_get();

	arc_shard_add(t, self_of(3), from_of(3), &arcs[3]);
	if (leave != NULL)
		thread_arcs_end();
	return t;
}

static struct arc_shard *
taken(bool leave)
{
	pthread_t id;
	void *t;

	cr_assert_eq(pthread_create(&id, NULL, take, leave ? &id : NULL), 0);
	pthread_join(id, &t);
	return t;
}

Test(arc_shard, passes_from_a_thread_that_is_gone)
{
	struct arc_shard *own = thread_arcs_get(), *first, *second;

	thread_arcs_end();		/* and is still there */
	first = taken(true);
	cr_expect_neq(first, own);
	cr_expect_eq(taken(false), first);
	second = taken(true);
	cr_expect_neq(second, first, "nobody said that it would end");
	cr_expect_eq(taken(true), second);
	cr_expect_not_null(arc_shard_find(second, self_of(3), from_of(3)));
}

/* The child does not count in the arcs that fork copied. */
static int
in_a_child(void)
{
	struct arc_shard *t = arc_shard_self;

	mon->pid = getpid();
	atomic_store(&mon->shards, NULL);	/* as the wiped state is */
	if (t == NULL || t->mask != 0 || thread_arcs_get() != t)
		return __LINE__;
	if (arc_shard_find(t, self_of(1), from_of(1)) != NULL)
		return __LINE__;
	enter(t, 1);
	return arc_shard_find(t, self_of(1), from_of(1)) == &arcs[1].count ? 0 :
	    __LINE__;
}

Test(arc_shard, begins_anew_in_a_fork_child)
{
	int line;

	enter(thread_arcs_get(), 1);
	line = target_child(in_a_child);
	cr_expect_eq(line, 0, "line %d", line);
}
