/* Context: O.  Tests of core/hot/count/cct.c. */
#include "count/cct.h"
#include "random.h"
#include "store/store.h"
#include "target.h"

#include "base/store_header.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

static uint32_t root;

/* A thread's record, so that readers find the tree. */
static uint32_t
make_thread(void)
{
	uint32_t index = store_take(sizeof(struct format_thread));
	struct format_thread *t = store_at(index);

	cr_assert_neq(index, 0);
	t->root = cct_add_root();
	t->members = 1;
	store_publish(&store_header()->threads, index);
	return t->root;
}

static void
start(void)
{
	target_init();
	config.size = 64u << 20;
	target_birth();
	root = make_thread();
}

TestSuite(tree, .init = start, .fini = target_fini);

static uint32_t
index_of(const struct format_node *n)
{
	return (uint32_t)(((const unsigned char *)n - mon->store.base) /
	    FORMAT_UNIT);
}

static uint64_t
used(void)
{
	return store_header()->used;
}

Test(tree, one_node_a_key)
{
	struct format_node *n = cct_find_or_add(root, FORMAT_USER, 3, 0x1234);
	uint32_t below = index_of(n);

	cr_assert_not_null(n);
	cr_expect_eq(n->parent, root);
	cr_expect_eq(n->kind, FORMAT_USER);
	cr_expect_eq(n->module, 3);
	cr_expect_eq(n->address, 0x1234);
	cr_expect_eq(n->count, 0);
	cr_expect_eq(cct_find_or_add(root, FORMAT_USER, 3, 0x1234), n);
	cr_expect_neq(cct_find_or_add(root, FORMAT_KERNEL, 3, 0x1234), n);
	cr_expect_neq(cct_find_or_add(root, FORMAT_USER, 4, 0x1234), n);
	cr_expect_neq(cct_find_or_add(root, FORMAT_USER, 3, 0x1235), n);
	cr_expect_neq(cct_find_or_add(root, FORMAT_USER, 3, 0x100001234), n);
	cr_expect_neq(cct_find_or_add(make_thread(), FORMAT_USER, 3, 0x1234),
	    n);
	n = cct_find_or_add(below, FORMAT_FRAME, 3, 0x1234);
	cr_expect_eq(n->parent, below);
	cr_expect_eq(cct_find_or_add(below, FORMAT_FRAME, 3, 0x1234), n);
}

Test(tree, counts)
{
	struct format_node *n = cct_find_or_add(root, FORMAT_USER, 0, 1);
	struct target_file t;

	cct_count(n, 1, 1000);
	cct_count(n, 2, UINT32_MAX);
	cct_count(cct_find_or_add(index_of(n), FORMAT_FRAME, 0, 2), 5, 50);
	target_read(&t, mon->store.path);
	cr_expect_eq(t.nodes, 2);
	cr_expect_eq(t.count, 8);
	cr_expect_eq(t.ns, UINT32_MAX + 1050ull);
	target_read_fini(&t);
}

/* In a table that fills, neighbours differ in one part of the key alone. */
Test(tree, keys_that_meet)
{
	for (unsigned i = 1; i < 1000; i++) {
		const struct format_node *m, *k, *p;

		m = cct_find_or_add(root, FORMAT_USER, i, 0x1000);
		k = cct_find_or_add(root, 1000 + i, 0, 0x1000);
		p = cct_find_or_add(index_of(m), FORMAT_USER, 0, 0x1000);
		cr_assert_eq(m->module, i);
		cr_assert_eq(k->kind, 1000 + i);
		cr_assert_eq(p->parent, index_of(m));
	}
}

/* The lookup tables grow three times: hardly a node is made twice. */
Test(tree, many_nodes)
{
	const unsigned n = 12000;
	struct target_file t;
	uint64_t before;

	for (unsigned i = 0; i < n; i++)
		cct_count(cct_find_or_add(root, FORMAT_USER + i % 4, 0, i * 16),
		    1, 1);
	cr_expect_geq(atomic_load(&mon->trees), 3);
	before = used();
	for (unsigned i = 0; i < n; i++)
		cct_count(cct_find_or_add(root, FORMAT_USER + i % 4, 0, i * 16),
		    1, 1);
	cr_expect_leq(used() - before, n / 100 * sizeof(struct format_node));
	target_read(&t, mon->store.path);
	cr_expect_geq(t.nodes, n);
	cr_expect_leq(t.nodes, n + n / 100);
	cr_expect_eq(t.count, 2 * n);
	target_read_fini(&t);
}

/* Threads race for few keys, and for many. */
#define RACERS	4
#define TURNS	500000

static pthread_barrier_t begin;
static unsigned keys;
static uint32_t roots[RACERS];
static uint64_t added[4000], found[4000];

static void *
race(void *arg)
{
	uint64_t seed = (uintptr_t)arg;

	pthread_barrier_wait(&begin);
	for (unsigned i = 0; i < TURNS; i++) {
		uint32_t key = random_below(&seed, keys);
		struct format_node *n = cct_find_or_add(root, FORMAT_USER, 0,
		    key);

		cct_count(n, 1, key);
		__atomic_fetch_add(&added[key], 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static int
sum_keys(void *arg, uint32_t index, const struct format_node *n)
{
	(void)arg;
	(void)index;
	cr_assert_lt(n->address, keys);
	cr_assert_eq(n->ns, n->count * n->address);
	found[n->address] += n->count;
	return 0;
}

static void
all_is_there(void)
{
	struct format_thread thread;
	struct target_file t;
	struct decode d;
	uint32_t at = 0;

	target_read(&t, mon->store.path);
	cr_expect_eq(t.count, (uint64_t)RACERS * TURNS);
	cr_expect_geq(t.nodes, keys);
	/* A race can make a second node of a key, but once a thread. */
	cr_expect_leq(t.nodes, keys * RACERS, "%ju nodes",
	    (uintmax_t)t.nodes);
	cr_assert_eq(decode_open(&d, t.copy.bytes, t.copy.size, &t.f), 0);
	while (decode_thread(&d, &at, &thread, &t.f) == 1)
		cr_assert_eq(decode_tree(&d, thread.root, sum_keys, NULL,
		    &t.f), 0);
	cr_expect_arr_eq(found, added, sizeof found);
	decode_close(&d);
	target_read_fini(&t);
}

static void
run_race(unsigned n)
{
	pthread_t thread[RACERS];

	keys = n;
	pthread_barrier_init(&begin, NULL, RACERS);
	for (uintptr_t i = 0; i < RACERS; i++)
		pthread_create(&thread[i], NULL, race, (void *)(i + 1));
	for (unsigned i = 0; i < RACERS; i++)
		pthread_join(thread[i], NULL);
	all_is_there();
}

Test(tree, few_keys_for_many_threads, .timeout = 60)
{
	run_race(10);
}

Test(tree, many_keys_for_many_threads, .timeout = 60)
{
	run_race(4000);
}

/* Each thread makes its own: none may vanish from the lists. */
#define OWN	50000

static void *
make_own(void *arg)
{
	uint32_t own = *(uint32_t *)arg;

	pthread_barrier_wait(&begin);
	for (uint64_t i = 0; i < OWN; i++) {
		cct_count(cct_find_or_add(own, FORMAT_USER, 0, i), 1, 1);
		cct_count(cct_find_or_add(root, FORMAT_USER, 0, i << 32 | own),
		    1, 1);
	}
	return NULL;
}

Test(tree, no_node_is_lost, .timeout = 60)
{
	pthread_t thread[RACERS];
	struct target_file t;

	pthread_barrier_init(&begin, NULL, RACERS);
	for (unsigned i = 0; i < RACERS; i++) {
		roots[i] = make_thread();
		pthread_create(&thread[i], NULL, make_own, &roots[i]);
	}
	for (unsigned i = 0; i < RACERS; i++)
		pthread_join(thread[i], NULL);
	target_read(&t, mon->store.path);
	cr_expect_eq(t.threads, RACERS + 1);
	cr_expect_eq(t.count, RACERS * 2 * OWN);
	cr_expect_geq(t.nodes, RACERS * 2 * OWN);
	target_read_fini(&t);
}

/* The tables are not the truth. */
Test(tree, forgotten_tables)
{
	struct format_node *n = cct_find_or_add(root, FORMAT_USER, 0, 1),
	    *again;
	struct target_file t;

	cct_count(n, 1, 1);
	cct_reset();
	again = cct_find_or_add(root, FORMAT_USER, 0, 1);
	cr_assert_neq(again, n);
	cct_count(again, 1, 1);
	cr_expect_eq(cct_find_or_add(root, FORMAT_USER, 0, 1), again);
	target_read(&t, mon->store.path);
	cr_expect_eq(t.nodes, 2);
	cr_expect_eq(t.count, 2);
	target_read_fini(&t);
}

Test(bare, no_room, .init = target_init, .fini = target_fini)
{
	struct target_file t;
	uint64_t made = 0;

	config.size = 128u << 10;
	target_birth();
	root = make_thread();
	while (cct_find_or_add(root, FORMAT_USER, 0, made) != NULL)
		made++;
	cr_expect_geq(made, 2500);
	cr_expect_eq(store_refusal_loss(), LOSS_STORE_FULL);
	/* Nodes that are there still count. */
	cr_assert_not_null(cct_find_or_add(root, FORMAT_USER, 0, 5));
	cct_count(cct_find_or_add(root, FORMAT_USER, 0, 5), 3, 3);
	cr_expect_null(cct_find_or_add(root, FORMAT_USER, 0, made));
	target_read(&t, mon->store.path);
	cr_expect_eq(t.nodes, made);
	cr_expect_eq(t.count, 3);
	target_read_fini(&t);
}

/* The kernel makes no new table behind seccomp: the old ones go on. */
Test(tree, frozen)
{
	uint64_t before;

	cct_find_or_add(root, FORMAT_USER, 0, 0);
	cr_assert_eq(store_reserve(4 * FORMAT_STEP), 0);
	atomic_store(&mon->frozen, true);
	for (unsigned i = 0; i < 1500; i++)
		cr_assert_not_null(cct_find_or_add(root, FORMAT_USER, 0, i));
	cr_expect_eq(atomic_load(&mon->trees), 1);
	before = used();
	for (unsigned i = 0; i < 1500; i++)
		cr_assert_not_null(cct_find_or_add(root, FORMAT_USER, 0, i));
	cr_expect_leq(used() - before, 50 * sizeof(struct format_node));
}
