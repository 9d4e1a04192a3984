/* Context: O.  Tests of core/hot/heap_live/live_blocks.c. */
#include "block_table.h"
#include "heap_live/live_blocks.h"
#include "random.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

TestSuite(live_blocks, .init = blocks_start, .fini = target_fini);

Test(live_blocks, what_was_entered_is_taken_once)
{
	cr_assert_eq(blocks_enter(HEAP, 300, 24), 0);
	cr_assert_eq(blocks_enter(HEAP + 32, 301, 0), 0);
	blocks_expect(HEAP, 300, 24);
	blocks_expect(HEAP + 32, 301, 0);
	cr_expect(!blocks_has(HEAP));
	cr_expect(!blocks_has(HEAP + 32));
	cr_expect(!blocks_has(0));
	cr_expect(!blocks_has(UINTPTR_MAX));
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
		cr_assert_eq(blocks_enter(HEAP + 16 * i, 7, bytes[i]), 0);
	for (size_t i = 0; i < n; i++)
		blocks_expect(HEAP + 16 * i, 7, bytes[i]);
	for (size_t i = 0; i < n; i++) {
		cr_expect(!blocks_has(HEAP + 16 * i));
		cr_expect(!blocks_has(HEAP + 16 * i + 8));
	}
}

Test(live_blocks, what_has_no_place_is_refused)
{
	cr_expect_eq(blocks_enter((uintptr_t)1 << 48, 1, 1), -ERANGE);
	cr_expect_eq(blocks_enter(HEAP, LIVE_BLOCKS_PATHS, 1), -ERANGE);
	cr_expect_eq(blocks_enter(HEAP, 1, (uint64_t)1 << 48), -ERANGE);
	cr_expect_eq(blocks_enter(HEAP + 8, 1, 1u << 20), -ERANGE);
	cr_expect_eq(blocks_enter(HEAP, LIVE_BLOCKS_PATHS - 1, 1), 0);
	blocks_expect(HEAP, LIVE_BLOCKS_PATHS - 1, 1);
}

/* A free that nobody saw: the address has been given out again. */
Test(live_blocks, an_older_one_gives_way)
{
	const struct live_block b = { 2, 50 };
	struct live_block old;

	cr_assert_eq(blocks_enter(HEAP, 1, 40), 0);
	cr_assert_eq(live_blocks_insert(table, &user, HEAP, &b, &old), 1);
	cr_expect_eq(old.path, 1);
	cr_expect_eq(old.bytes, 40);
	blocks_expect(HEAP, 2, 50);
	cr_expect(!blocks_has(HEAP));
}

/*
 * A large block has a second entry at the grain beside its own.  Its end was
 * not seen, and blocks begin there now.
 */
Test(live_blocks, beside_a_large_one_that_is_gone)
{
	const struct live_block large = { 1, 5u << 20 }, b = { 2, 8 };
	struct live_block old = { .path = 0 };

	cr_assert_eq(blocks_enter(HEAP, 1, 5u << 20), 0);
	cr_expect(!blocks_has(HEAP + 8), "it is the large one's");
	blocks_expect(HEAP, 1, 5u << 20);
	cr_assert_eq(blocks_enter(HEAP, 1, 5u << 20), 0);
	cr_assert_eq(live_blocks_insert(table, &user, HEAP + 8, &b, &old), 1);
	cr_expect_eq(old.path, 1);
	cr_expect_eq(old.bytes, 5u << 20);
	cr_expect(!blocks_has(HEAP));
	/* The other way round. */
	cr_assert_eq(live_blocks_insert(table, &user, HEAP, &large, &old), 1);
	cr_expect_eq(old.path, 2);
	blocks_expect(HEAP, 1, 5u << 20);
	cr_expect(!blocks_has(HEAP + 8));
}

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
			blocks_expect(at, turn_of[key] % 1000 + 1,
			    bytes_of(key, turn_of[key]));
			turn_of[key] = 0;
			live--;
		} else {
			cr_assert_eq(blocks_enter(at, turn % 1000 + 1,
			    bytes_of(key, turn)), 0);
			turn_of[key] = turn;
			live++;
		}
	}
	cr_expect_gt(live, 1000);
	for (uint64_t key = 0; key < KEYS; key++)
		if (turn_of[key] != 0)
			blocks_expect(address_of(key), turn_of[key] % 1000 + 1,
			    bytes_of(key, turn_of[key]));
		else
			cr_assert(!blocks_has(address_of(key)));
}

Test(live_blocks, any_order)
{
	come_and_go();
}

Test(live_blocks, any_order_in_a_large_table)
{
	blocks_become_large();
	come_and_go();
}

/* It has none below it that it could be like. */
Test(live_blocks, the_first_region_of_an_array)
{
	const uintptr_t at = ((HEAP >> 32) + 1) << 32;

	blocks_become_large();
	for (uintptr_t i = 0; i < 4096; i++)
		cr_assert_eq(blocks_enter(at + 32 * i, 1 + (uint32_t)i, i), 0);
	for (uintptr_t i = 0; i < 4096; i++)
		blocks_expect(at + 32 * i, 1 + (uint32_t)i, i);
}

/*
 * As near as blocks can be, and as far; where a region has both; freed in
 * another order than they came.
 */
Test(live_blocks, neighbours)
{
	static const unsigned apart[] = { 16, 32, 48, 64, 208, 1040, 4096 };
	const uint32_t n = 65536;

	blocks_become_large();
	for (size_t k = 0; k < sizeof apart / sizeof apart[0]; k++) {
		const uintptr_t at = HEAP + 16384 * k;

		for (uint32_t i = 0; i < n; i++)
			cr_assert_eq(blocks_enter(at + (uintptr_t)i * apart[k],
			    i + 1,
			    i), 0);
		for (uint32_t i = 0; i < n; i++) {
			const uint32_t other = i * 7919u % n;

			blocks_expect(at + (uintptr_t)other * apart[k],
			    other + 1,
			    other);
		}
	}
	for (uintptr_t i = 0; i < 4096; i++) {
		cr_assert_eq(blocks_enter(HEAP + 65536 * i, 1, 1), 0);
		cr_assert_eq(blocks_enter(HEAP + 65536 * i + 30000 + i % 64 * 8,
		    2, 2),
		    0);
		for (uintptr_t j = 1; j < 40; j++)
			cr_assert_eq(blocks_enter(HEAP + 65536 * i + 8 * j, 3,
			    j), 0);
	}
	for (uintptr_t i = 4096; i-- > 0;) {
		blocks_expect(HEAP + 65536 * i, 1, 1);
		blocks_expect(HEAP + 65536 * i + 30000 + i % 64 * 8, 2, 2);
		for (uintptr_t j = 1; j < 40; j++)
			blocks_expect(HEAP + 65536 * i + 8 * j, 3, j);
	}
}

/* Each 8 bytes a block: all places of a region are taken. */
Test(live_blocks, a_full_region)
{
	blocks_become_large();
	for (uintptr_t i = 0; i + 1 < 8192; i++)
		cr_assert_eq(blocks_enter(HEAP + 8 * i, 1 + (uint32_t)i, i), 0);
	for (uintptr_t i = 0; i + 1 < 8192; i++)
		blocks_expect(HEAP + 8 * i, 1 + (uint32_t)i, i);
}
