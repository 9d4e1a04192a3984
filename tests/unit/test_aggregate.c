/* Context: O.  Tests of core/model/derive/aggregate.c. */
#include "derive/aggregate.h"

#include <criterion/criterion.h>

static struct aggregate c;

static void
setup(void)
{
	aggregate_init(&c, 1000);
}

static void
teardown(void)
{
	aggregate_free(&c);
}

TestSuite(aggregate, .init = setup, .fini = teardown);

static struct aggregate_key
key(uint32_t node)
{
	return (struct aggregate_key) { .cpu = 1, .process = 2, .tid = 3,
		.node = node };
}

static void
add(uint32_t node, uint64_t count)
{
	const struct aggregate_key k = key(node);
	const struct aggregate_value v = { count, count * 10 };

	cr_assert_eq(aggregate_add(&c, &k, &v), 0);
}

static void
set(uint32_t node, uint64_t count)
{
	const struct aggregate_key k = key(node);
	const struct aggregate_value v = { count, count * 10 };

	cr_assert_eq(aggregate_set(&c, &k, &v), 0);
}

static uint64_t
all(void)
{
	uint64_t sum = c.forgotten.count;

	for (size_t i = 0; i < c.cell_count; i++)
		sum += c.cells[i].all.count;
	return sum;
}

Test(aggregate, has_each_path_once)
{
	const uint32_t outer = aggregate_find_node(&c, 0, 7);
	const uint32_t inner = aggregate_find_node(&c, outer, 7);

	cr_expect_eq(outer, 1u);
	cr_expect_neq(inner, outer);
	cr_expect_eq(aggregate_find_node(&c, 0, 7), outer);
	cr_expect_eq(aggregate_find_node(&c, outer, 7), inner);
}

Test(aggregate, sums_of_an_interval_and_of_all)
{
	const uint32_t n = aggregate_find_node(&c, 0, 7);

	add(n, 2);
	add(n, 3);
	cr_expect_eq(c.cell_count, 1u);
	cr_expect_eq(aggregate_interval_value(&c, c.cells).count, 5u);
	cr_expect_eq(aggregate_interval_value(&c, c.cells).weight, 50u);
	aggregate_next_interval(&c);
	cr_expect_eq(aggregate_interval_value(&c, c.cells).count, 0u);
	add(n, 1);
	cr_expect_eq(aggregate_interval_value(&c, c.cells).count, 1u);
	cr_expect_eq(c.cells[0].all.count, 6u);
}

Test(aggregate, takes_the_difference_of_what_a_file_says)
{
	const uint32_t n = aggregate_find_node(&c, 0, 7);

	set(n, 100);
	aggregate_next_interval(&c);
	set(n, 100);
	cr_expect_eq(aggregate_interval_value(&c, c.cells).count, 0u);
	set(n, 130);
	cr_expect_eq(aggregate_interval_value(&c, c.cells).count, 30u);
	cr_expect_eq(c.cells[0].all.count, 130u);
	aggregate_clear(&c);
	set(n, 140);
	cr_expect_eq(c.cells[0].all.count, 10u);
	/* It began anew. */
	set(n, 5);
	set(n, 7);
	cr_expect_eq(c.cells[0].all.count, 2u);
}

/* Days of running: what is not seen for longest goes, and is counted. */
Test(aggregate, forgets_what_is_too_much_and_says_so)
{
	uint64_t put = 0;

	for (uint32_t turn = 0; turn < 40; turn++) {
		for (uint32_t i = 0; i < 100; i++) {
			const uint32_t outer = aggregate_find_node(&c, 0, turn);

			add(aggregate_find_node(&c, outer, turn * 100 + i), 1);
			put++;
		}
		add(aggregate_find_node(&c, 0, 4242), 1);
		put++;
		cr_assert_eq(aggregate_next_interval(&c), 0);
		cr_assert_leq(c.cell_count, 1000u);
		cr_assert_leq(c.node_count, 2000u);
		cr_assert_eq(all(), put);
	}
	cr_expect_gt(c.forgotten.count, 0u);
	/*
	 * A row that comes all the time is still there, with all its samples.
	 */
	for (size_t i = 0; i < c.cell_count; i++) {
		const struct aggregate_node *n =
		    &c.nodes[c.cells[i].key.node];

		cr_assert_lt(c.cells[i].key.node, c.node_count);
		cr_assert_lt(n->caller, c.node_count);
		if (n->place == 4242)
			cr_expect_eq(c.cells[i].all.count, 40u);
		else
			cr_expect_eq(c.nodes[n->caller].place,
			    n->place / 100);
	}
}

Test(aggregate, forgets_also_where_all_came_at_once)
{
	for (uint32_t i = 0; i < 5000; i++)
		add(aggregate_find_node(&c, 0, i), 1);
	cr_assert_eq(aggregate_next_interval(&c), 0);
	cr_expect_leq(c.cell_count, 500u);
	cr_expect_eq(all(), 5000u);
	add(aggregate_find_node(&c, 0, 1), 1);
	cr_expect_eq(all(), 5001u);
}

/* The totals of a file come again each time, and would count once more. */
Test(aggregate, forgets_no_total_of_a_file)
{
	for (uint32_t turn = 0; turn < 3; turn++) {
		for (uint32_t i = 0; i < 2000; i++)
			set(aggregate_find_node(&c, 0, i), 7);
		cr_assert_eq(all(), 14000u);
		for (size_t i = 0; i < c.cell_count && turn != 0; i++)
			cr_assert_eq(aggregate_interval_value(&c,
			    &c.cells[i]).count, 0u);
		cr_assert_eq(aggregate_next_interval(&c), 0);
	}
	cr_expect_eq(c.forgotten.count, 0u);
}
