/* Context: O.  Tests of core/hot/heap_live/live_blocks.c. */
#include "heap_live/live_blocks.h"
#include "random.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define HEAP	((uintptr_t)0x7f1234500000)
#define MIB	((uint64_t)1 << 20)

static struct live_block_table *table;
static struct live_blocks_user user = { .id = 1 };

static void
start(void)
{
	target_init();
	table = live_blocks_create(256 * MIB, 1);
	cr_assert_not_null(table);
}

TestSuite(live_blocks, .init = start, .fini = target_fini);

static int
enter(uintptr_t at, uint32_t path, uint64_t bytes)
{
	const struct live_block b = { path, bytes };
	struct live_block old;

	return live_blocks_insert(table, &user, at, &b, &old);
}

static void
expect(uintptr_t at, uint32_t path, uint64_t bytes)
{
	struct live_block b;

	cr_assert(live_blocks_remove(table, &user, at, &b), "%#lx",
	    (unsigned long)at);
	cr_expect_eq(b.path, path);
	cr_expect_eq(b.bytes, bytes);
}

static bool
has(uintptr_t at)
{
	struct live_block b;

	return live_blocks_remove(table, &user, at, &b);
}

Test(live_blocks, what_was_entered_is_taken_once)
{
	cr_assert_eq(enter(HEAP, 300, 24), 0);
	cr_assert_eq(enter(HEAP + 32, 301, 0), 0);
	expect(HEAP, 300, 24);
	expect(HEAP + 32, 301, 0);
	cr_expect(!has(HEAP));
	cr_expect(!has(HEAP + 32));
	cr_expect(!has(0));
	cr_expect(!has(UINTPTR_MAX));
}

/* The word has 20 bits of it; past that there are two. */
Test(live_blocks, sizes_are_exact)
{
	static const uint64_t bytes[] = {
		1, (1u << 20) - 2, (1u << 20) - 1, 1u << 20, (1u << 20) + 1,
		(uint64_t)1 << 32, ((uint64_t)1 << 46) + 12345,
		((uint64_t)1 << 48) - 1,
	};
	const size_t n = sizeof bytes / sizeof bytes[0];

	for (size_t i = 0; i < n; i++)
		cr_assert_eq(enter(HEAP + 16 * i, 7, bytes[i]), 0);
	for (size_t i = 0; i < n; i++)
		expect(HEAP + 16 * i, 7, bytes[i]);
	for (size_t i = 0; i < n; i++) {
		cr_expect(!has(HEAP + 16 * i));
		cr_expect(!has(HEAP + 16 * i + 8));
	}
}

Test(live_blocks, what_has_no_place_is_refused)
{
	cr_expect_eq(enter((uintptr_t)1 << 48, 1, 1), -ERANGE);
	cr_expect_eq(enter(HEAP, LIVE_BLOCKS_PATHS, 1), -ERANGE);
	cr_expect_eq(enter(HEAP, 1, (uint64_t)1 << 48), -ERANGE);
	cr_expect_eq(enter(HEAP + 8, 1, 1u << 20), -ERANGE);
	cr_expect_eq(enter(HEAP, LIVE_BLOCKS_PATHS - 1, 1), 0);
	expect(HEAP, LIVE_BLOCKS_PATHS - 1, 1);
}

/* A free that nobody saw: the address has been given out again. */
Test(live_blocks, an_older_one_gives_way)
{
	const struct live_block b = { 2, 50 };
	struct live_block old;

	cr_assert_eq(enter(HEAP, 1, 40), 0);
	cr_assert_eq(live_blocks_insert(table, &user, HEAP, &b, &old), 1);
	cr_expect_eq(old.path, 1);
	cr_expect_eq(old.bytes, 40);
	expect(HEAP, 2, 50);
	cr_expect(!has(HEAP));
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#define KEYS	40000u
#define REGIONS	50u

static uint64_t
bytes_of(uint64_t key, unsigned turn)
{
	return (key * 977 + turn) % 9 == 0 ? (4u << 20) + key : key % 5000;
}

/* 16 or 48 bytes apart, so that some regions are crowded and others are not. */
static uintptr_t
address_of(uint64_t key)
{
	return HEAP + (key < KEYS / 2 ? 16 * key : 48 * key);
}

/* Blocks elsewhere, so that there are so many that neighbours share a line. */
static void
become_large(void)
{
	for (uint64_t i = 0; live_blocks_memory(table) < 8 * MIB; i++)
		cr_assert_eq(enter(HEAP + (i << 5) + (1u << 30), 1, 1), 0);
}

static void
come_and_go(void)
{
	static unsigned turn_of[KEYS];	/* 0: not there */
	uint64_t seed = 4711;
	unsigned turn, live = 0;

	for (turn = 1; turn < 1000000; turn++) {
		const uint64_t key = random_below(&seed, KEYS);
		const uintptr_t at = address_of(key);

		if (turn_of[key] != 0) {
			expect(at, turn_of[key] % 1000 + 1,
			    bytes_of(key, turn_of[key]));
			turn_of[key] = 0;
			live--;
		} else {
			cr_assert_eq(enter(at, turn % 1000 + 1,
			    bytes_of(key, turn)), 0);
			turn_of[key] = turn;
			live++;
		}
	}
	cr_expect_gt(live, 1000);
	for (uint64_t key = 0; key < KEYS; key++)
		if (turn_of[key] != 0)
			expect(address_of(key), turn_of[key] % 1000 + 1,
			    bytes_of(key, turn_of[key]));
		else
			cr_assert(!has(address_of(key)));
}

Test(live_blocks, any_order)
{
	come_and_go();
}

Test(live_blocks, any_order_in_a_large_table)
{
	become_large();
	come_and_go();
}

/* It has none below it that it could be like. */
Test(live_blocks, the_first_region_of_an_array)
{
	const uintptr_t at = ((HEAP >> 32) + 1) << 32;

	become_large();
	for (uintptr_t i = 0; i < 4096; i++)
		cr_assert_eq(enter(at + 32 * i, 1 + (uint32_t)i, i), 0);
	for (uintptr_t i = 0; i < 4096; i++)
		expect(at + 32 * i, 1 + (uint32_t)i, i);
}

/*
 * As near as blocks can be, and as far; where a region has both; freed in
 * another order than they came.
 */
Test(live_blocks, neighbours)
{
	static const unsigned apart[] = { 16, 32, 48, 64, 208, 1040, 4096 };
	const uint32_t n = 65536;

	become_large();
	for (size_t k = 0; k < sizeof apart / sizeof apart[0]; k++) {
		const uintptr_t at = HEAP + 16384 * k;

		for (uint32_t i = 0; i < n; i++)
			cr_assert_eq(enter(at + (uintptr_t)i * apart[k], i + 1,
			    i), 0);
		for (uint32_t i = 0; i < n; i++) {
			const uint32_t other = i * 7919u % n;

			expect(at + (uintptr_t)other * apart[k], other + 1,
			    other);
		}
	}
	for (uintptr_t i = 0; i < 4096; i++) {
		cr_assert_eq(enter(HEAP + 65536 * i, 1, 1), 0);
		cr_assert_eq(enter(HEAP + 65536 * i + 30000 + i % 64 * 8, 2, 2),
		    0);
		for (uintptr_t j = 1; j < 40; j++)
			cr_assert_eq(enter(HEAP + 65536 * i + 8 * j, 3, j), 0);
	}
	for (uintptr_t i = 4096; i-- > 0;) {
		expect(HEAP + 65536 * i, 1, 1);
		expect(HEAP + 65536 * i + 30000 + i % 64 * 8, 2, 2);
		for (uintptr_t j = 1; j < 40; j++)
			expect(HEAP + 65536 * i + 8 * j, 3, j);
	}
}

/* Each 8 bytes a block: all places of a region are taken. */
Test(live_blocks, a_full_region)
{
	become_large();
	for (uintptr_t i = 0; i + 1 < 8192; i++)
		cr_assert_eq(enter(HEAP + 8 * i, 1 + (uint32_t)i, i), 0);
	for (uintptr_t i = 0; i + 1 < 8192; i++)
		expect(HEAP + 8 * i, 1 + (uint32_t)i, i);
}

/* For a block out and in again, in no order: n in each region, so far apart. */
static double
pair_time(uint32_t n, uintptr_t apart)
{
	double least = 1e9, begin;

	for (unsigned turn = 0; turn < 5; turn++) {
		begin = seconds();
		for (uint32_t i = 0; i < REGIONS * n; i++) {
			const uintptr_t at = HEAP + i % REGIONS * 65536 +
			    i / REGIONS * 7919u % n * apart;

			expect(at, 1, 1);
			cr_assert_eq(enter(at, 1, 1), 0);
		}
		if (seconds() - begin < least)
			least = seconds() - begin;
	}
	return least / (REGIONS * n);
}

static void
fill(uint32_t n, uintptr_t apart, bool in)
{
	for (uint32_t i = 0; i < REGIONS * n; i++) {
		const uintptr_t at = HEAP + i % REGIONS * 65536 +
		    i / REGIONS * apart;

		if (in)
			cr_assert_eq(enter(at, 1, 1), 0);
		else
			expect(at, 1, 1);
	}
}

/* Small ones, side by side, in a part of what larger ones had to themselves. */
Test(live_blocks, others_than_their_table_was_made_for)
{
	double before;

	become_large();
	fill(816, 80, true);
	before = pair_time(816, 80);
	fill(816, 80, false);
	fill(1024, 32, true);
	cr_expect_lt(pair_time(1024, 32), 5 * before);
	fill(1024, 32, false);
	fill(1280, 16, true);
	cr_expect_lt(pair_time(1280, 16), 5 * before);
}

/* The promise of doc/design/heap.md: 24 bytes of memory a block at the most. */
Test(live_blocks, memory)
{
	static const unsigned apart[] = { 32, 48, 64, 112, 528 };

	for (size_t k = 0; k < sizeof apart / sizeof apart[0]; k++) {
		const uint64_t n = 400000;
		struct live_block_table *t = live_blocks_create(256 * MIB, 1);
		const struct live_block b = { 1, 1 };
		struct live_block old;

		for (uint64_t i = 0; i < n; i++)
			cr_assert_eq(live_blocks_insert(t, &user,
			    HEAP + i * apart[k], &b, &old), 0);
		/*
		 * The bytes asked for; little of the regions' arrays is there.
		 */
		cr_expect_leq(live_blocks_memory(t), 24 * n + 3 * MIB, "%u: %g",
		    apart[k], (double)live_blocks_memory(t) / n);
	}
}

Test(live_blocks, an_end)
{
	uint64_t i;

	table = live_blocks_create(3 * MIB, 1);
	for (i = 0; i < MIB && enter(HEAP + 32 * i, 1, 1) == 0; i++)
		;
	cr_expect(i > 50000 && i < MIB, "%lu", (unsigned long)i);
	cr_expect_leq(live_blocks_memory(table), 3 * MIB);
	cr_expect_eq(enter(HEAP + 32 * i, 1, 1), -ENOMEM);
	while (i-- > 0)
		expect(HEAP + 32 * i, 1, 1);
	cr_expect_eq(enter(HEAP + 32, 1, 1), 0);
}

/* Blocks elsewhere, and larger ones, use what emptied regions had. */
Test(live_blocks, an_end_is_not_for_good)
{
	uint64_t n, i;

	table = live_blocks_create(4 * MIB, 1);
	for (n = 0; enter(HEAP + 32 * n, 1, 1) == 0; n++)
		;
	cr_expect(live_blocks_is_full(table));
	for (i = 0; i < n; i++)
		expect(HEAP + 32 * i, 1, 1);
	for (i = 0; i < n / 2; i++)
		cr_assert_eq(enter(HEAP + 64 * MIB + 64 * i, 2, i), 0, "%lu",
		    (unsigned long)i);
	for (i = 0; i < n / 2; i++)
		expect(HEAP + 64 * MIB + 64 * i, 2, i);
	cr_expect_leq(live_blocks_memory(table), 4 * MIB);
}

/* Neighbours in the same regions, of eight threads; each has its own. */
/* NULL; or its own number, where something was wrong. */
static void *
work(void *number)
{
	const uintptr_t first = HEAP + 16 * (uintptr_t)number;
	struct live_blocks_user own = { .id = (uint32_t)(uintptr_t)number };
	struct live_block b, old;

	for (unsigned turn = 1; turn < 30; turn++) {
		for (uint32_t i = 0; i < 3000; i++) {
			b = (struct live_block){ i + turn, i };
			if (live_blocks_insert(table, &own, first + 128 * i, &b,
			    &old) != 0)
				return number;
		}
		for (uint32_t i = 0; i < 3000; i++)
			if (!live_blocks_remove(table, &own, first + 128 * i,
			    &b) || b.path != i + turn || b.bytes != i)
				return number;
	}
	return NULL;
}

Test(live_blocks, threads)
{
	pthread_t thread[8];
	void *wrong;

	for (uintptr_t i = 0; i < 8; i++)
		pthread_create(&thread[i], NULL, work, (void *)(i + 1));
	for (size_t i = 0; i < 8; i++) {
		pthread_join(thread[i], &wrong);
		cr_expect_null(wrong);
	}
}

/*
 * A thread left it by siglongjmp(), and says so when it comes again: what was
 * there is lost, the rest goes on.
 */
Test(live_blocks, who_held_it_is_gone)
{
	struct live_blocks_user other = { .id = 2 };
	struct live_block b = { 1, 1 }, old;
	uint32_t *region;

	cr_assert_eq(enter(HEAP, 1, 1), 0);
	cr_assert_eq(enter(HEAP + 65536, 2, 2), 0);
	region = *(uint32_t **)((void **)table + (HEAP >> 32)) +
	    4 * (HEAP >> 16 & 65535);
	*region = 2;
	other.at = (struct block_region *)region;
	live_blocks_recover(table, &other);
	cr_expect_eq(*region, 0);
	cr_expect(!has(HEAP));
	expect(HEAP + 65536, 2, 2);
	cr_assert_eq(live_blocks_insert(table, &other, HEAP, &b, &old), 0);
	expect(HEAP, 1, 1);
	/* Not what another holds by now. */
	*region = 1;
	other.at = (struct block_region *)region;
	live_blocks_recover(table, &other);
	cr_expect_eq(*region, 1);
}
