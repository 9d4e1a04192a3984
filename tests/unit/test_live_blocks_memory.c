/*
 * Context: O. Tests of core/hot/heap_live/live_blocks.c: memory of the tables,
 * their end, and several threads.
 */
#include "block_table.h"
#include "heap_live/live_blocks.h"
#include "random.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

TestSuite(live_blocks_memory, .init = blocks_start, .fini = target_fini);

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
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

			blocks_expect(at, 1, 1);
			cr_assert_eq(blocks_enter(at, 1, 1), 0);
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
			cr_assert_eq(blocks_enter(at, 1, 1), 0);
		else
			blocks_expect(at, 1, 1);
	}
}

/* Small ones, side by side, in a part of what larger ones had to themselves. */
Test(live_blocks_memory, others_than_their_table_was_made_for)
{
	double before;

	blocks_become_large();
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
Test(live_blocks_memory, memory)
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

Test(live_blocks_memory, an_end)
{
	uint64_t i;

	table = live_blocks_create(3 * MIB, 1);
	for (i = 0; i < MIB && blocks_enter(HEAP + 32 * i, 1, 1) == 0; i++)
		;
	cr_expect(i > 50000 && i < MIB, "%lu", (unsigned long)i);
	cr_expect_leq(live_blocks_memory(table), 3 * MIB);
	cr_expect_eq(blocks_enter(HEAP + 32 * i, 1, 1), -ENOMEM);
	while (i-- > 0)
		blocks_expect(HEAP + 32 * i, 1, 1);
	cr_expect_eq(blocks_enter(HEAP + 32, 1, 1), 0);
}

/*
 * A block that needs two slots, in place of one whose end was not seen, where
 * there is room for no more: the old one is taken out, and the caller gets it.
 */
Test(live_blocks_memory, an_old_block_is_not_lost_at_the_end)
{
	const struct live_block large = { 2, UINT64_C(1) << 34 };
	unsigned lost = 0;
	uint64_t n, i;

	table = live_blocks_create(3 * MIB, 1);
	for (n = 0; n < MIB && blocks_enter(HEAP + 32 * n, 1, 1) == 0; n++)
		;
	for (i = 0; i < n; i++) {
		struct live_block old = { .path = 0 };
		int ret = live_blocks_insert(table, &user, HEAP + 32 * i,
		    &large, &old);

		cr_assert_neq(ret, 0);
		cr_assert_eq(old.path, 1, "%d", ret);
		lost += ret == -ENOMEM;
	}
	cr_expect_neq(lost, 0);
}

/* Blocks elsewhere, and larger ones, use what emptied regions had. */
Test(live_blocks_memory, an_end_is_not_for_good)
{
	uint64_t n, i;

	table = live_blocks_create(4 * MIB, 1);
	for (n = 0; blocks_enter(HEAP + 32 * n, 1, 1) == 0; n++)
		;
	cr_expect(live_blocks_is_full(table));
	for (i = 0; i < n; i++)
		blocks_expect(HEAP + 32 * i, 1, 1);
	for (i = 0; i < n / 2; i++)
		cr_assert_eq(blocks_enter(HEAP + 64 * MIB + 64 * i, 2, i), 0,
		    "%lu",
		    (unsigned long)i);
	for (i = 0; i < n / 2; i++)
		blocks_expect(HEAP + 64 * MIB + 64 * i, 2, i);
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

Test(live_blocks_memory, threads)
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
Test(live_blocks_memory, who_held_it_is_gone)
{
	struct live_blocks_user other = { .id = 2 };
	struct live_block b = { 1, 1 }, old;
	uint32_t *region;

	cr_assert_eq(blocks_enter(HEAP, 1, 1), 0);
	cr_assert_eq(blocks_enter(HEAP + 65536, 2, 2), 0);
	region = *(uint32_t **)((void **)table + (HEAP >> 32)) +
	    4 * (HEAP >> 16 & 65535);
	*region = 2;
	other.at = (struct block_region *)region;
	live_blocks_recover(table, &other);
	cr_expect_eq(*region, 0);
	cr_expect(!blocks_has(HEAP));
	blocks_expect(HEAP + 65536, 2, 2);
	cr_assert_eq(live_blocks_insert(table, &other, HEAP, &b, &old), 0);
	blocks_expect(HEAP, 1, 1);
	/* Not what another holds by now. */
	*region = 1;
	other.at = (struct block_region *)region;
	live_blocks_recover(table, &other);
	cr_expect_eq(*region, 1);
}
