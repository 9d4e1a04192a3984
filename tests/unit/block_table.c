/* Context: O.  See block_table.h. */
#include "block_table.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct live_block_table *table;
struct live_blocks_user user = { .id = 1 };

void
blocks_start(void)
{
	target_init();
	table = live_blocks_create(256 * MIB, 1);
	cr_assert_not_null(table);
}

int
blocks_enter(uintptr_t at, uint32_t path, uint64_t bytes)
{
	const struct live_block b = { path, bytes };
	struct live_block old;

	return live_blocks_insert(table, &user, at, &b, &old);
}

void
blocks_expect(uintptr_t at, uint32_t path, uint64_t bytes)
{
	struct live_block b;

	cr_assert(live_blocks_remove(table, &user, at, &b), "%#lx",
	    (unsigned long)at);
	cr_expect_eq(b.path, path);
	cr_expect_eq(b.bytes, bytes);
}

bool
blocks_has(uintptr_t at)
{
	struct live_block b;

	return live_blocks_remove(table, &user, at, &b);
}

void
blocks_become_large(void)
{
	for (uint64_t i = 0; live_blocks_memory(table) < 8 * MIB; i++)
		cr_assert_eq(blocks_enter(HEAP + (i << 5) + (1u << 30), 1, 1),
		    0);
}
