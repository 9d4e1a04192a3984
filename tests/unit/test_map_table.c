/* Context: O.  Tests of core/hot/heap_live/map_table.c. */
#include "heap_live/map_table.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct map_table *table;
static uint64_t bytes;
static unsigned pieces, last;

static void
start(void)
{
	table = calloc(1, sizeof(*table));
	cr_assert_not_null(table);
	bytes = pieces = last = 0;
}

static void
end(void)
{
	free(table);
}

TestSuite(map_table, .init = start, .fini = end);

static void
gone(void *arg, const struct map_range *piece, bool was_last)
{
	const uint32_t *path = arg;

	if (path != NULL)
		cr_expect_eq(piece->path, *path);
	bytes += piece->end - piece->start;
	pieces++;
	last += was_last;
}

static bool
enter(uint64_t from, uint64_t to, uint32_t path)
{
	return map_table_insert(table, &(struct map_range){ from, to, path,
	    0 });
}

static void
take(uint64_t from, uint64_t to, uint64_t wanted, unsigned wanted_last)
{
	bytes = last = 0;
	cr_expect(map_table_remove(table, from, to, gone, NULL));
	cr_expect_eq(bytes, wanted, "%lu to %lu: %lu", (unsigned long)from,
	    (unsigned long)to, (unsigned long)bytes);
	cr_expect_eq(last, wanted_last, "%lu to %lu: last of %u",
	    (unsigned long)from, (unsigned long)to, last);
}

Test(map_table, takes_what_was_entered)
{
	uint32_t path = 7;

	cr_assert(enter( 100, 200, path));
	cr_expect(map_table_remove(table, 100, 200, gone, &path));
	cr_expect_eq(bytes, 100);
	cr_expect_eq(last, 1);
	cr_expect_eq(table->count, 0);
	take(100, 200, 0, 0);
}

Test(map_table, takes_no_neighbours)
{
	cr_assert(enter( 100, 200, 1));
	cr_assert(enter( 300, 400, 2));
	cr_assert(enter( 200, 300, 3));
	take(0, 100, 0, 0);
	take(400, 1000, 0, 0);
	take(200, 300, 100, 1);
	cr_expect_eq(table->count, 2);
}

Test(map_table, of_nothing_take_nothing)
{
	cr_assert(enter(100, 200, 1));
	pieces = 0;
	take(150, 150, 0, 0);
	take(150, 140, 0, 0);
	cr_expect_eq(pieces, 0);
}

/* As the last piece does that went and came back. */
Test(map_table, go_back)
{
	const struct map_range head = { 100, 120, 1, 1 };

	cr_assert(enter(100, 200, 1));
	take(100, 120, 20, 0);
	cr_assert(map_table_insert(table, &head), "it was split: the first");
	take(100, 120, 20, 0);
	cr_assert(map_table_insert(table, &head));
	take(120, 200, 80, 0);
	take(0, 1000, 20, 1);
}

Test(map_table, end_with_the_last_piece)
{
	cr_assert(enter( 100, 200, 1));
	take(120, 130, 10, 0);
	take(150, 160, 10, 0);
	take(0, 120, 20, 0);
	take(125, 155, 20, 0);
	take(100, 1000, 40, 1);
	cr_expect_eq(table->count, 0);
}

Test(map_table, lose_ends)
{
	cr_assert(enter( 100, 200, 1));
	take(50, 110, 10, 0);
	take(190, 250, 10, 0);
	take(100, 200, 80, 1);
}

Test(map_table, are_taken_over_several)
{
	cr_assert(enter( 100, 200, 1));
	cr_assert(enter( 200, 300, 2));
	cr_assert(enter( 300, 400, 3));
	take(150, 350, 200, 1);
	take(0, 1000, 100, 2);
}

Test(map_table, do_not_overlap)
{
	cr_assert(enter( 100, 200, 1));
	cr_expect_not(enter( 150, 160, 2));
	cr_expect_not(enter( 50, 101, 2));
	cr_expect_not(enter( 199, 300, 2));
	cr_expect_not(enter( 300, 300, 2));
	cr_expect_eq(table->count, 1);
}

Test(map_table, are_so_many_at_most)
{
	for (uint64_t i = 0; i < MAP_TABLE_MAX; i++)
		cr_assert(enter( 10 * i, 10 * i + 9, 1));
	cr_expect_not(enter( 10 * MAP_TABLE_MAX, 10 *
	    MAP_TABLE_MAX + 1, 1));
	/* The part above has no room: it is gone, too. */
	cr_expect_not(map_table_remove(table, 3, 5, gone, NULL));
	cr_expect_eq(bytes, 6);
	cr_expect_eq(last, 0);
	take(0, 10, 3, 1);
}

#define PAGES	64u

/* A page by page account, beside. */
Test(map_table, agree_with_a_plain_account)
{
	uint32_t owner[PAGES] = { 0 }, next = 0, live[4096] = { 0 };
	uint64_t random = 25;

	for (unsigned n = 0; n < 4000; n++) {
		const uint32_t from = random_below(&random, PAGES);
		const uint32_t to = from + 1 + random_below(&random,
		    PAGES - from);
		unsigned wanted = 0, wanted_last = 0;

		for (uint32_t i = from; i < to; i++) {
			if (owner[i] == 0)
				continue;
			wanted++;
			wanted_last += --live[owner[i]] == 0;
			owner[i] = 0;
		}
		take(from, to, wanted, wanted_last);
		if (random_below(&random, 3) == 0)
			continue;
		cr_assert(enter( from, to, ++next));
		live[next] = to - from;
		for (uint32_t i = from; i < to; i++)
			owner[i] = next;
	}
	cr_expect_gt(pieces, 1000);
}
