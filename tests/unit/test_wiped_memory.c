/* Context: O.  Tests of core/hot/base/wiped_memory.c. */
#include "base/wiped_memory.h"
#include "base/mmap_area.h"
#include "target.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(wiped_memory, .init = target_init, .fini = target_fini);

static bool
is_of_state(const void *p)
{
	return (const char *)p >= (char *)mon && (const char *)p <
	    (char *)(mon + 1);
}

Test(wiped_memory, comes_from_the_state_without_a_mapping)
{
	char *one = wiped_memory_alloc(100), *two = wiped_memory_alloc(1);

	cr_assert(is_of_state(one) && is_of_state(two));
	cr_expect_eq((uintptr_t)one % 64, 0);
	cr_expect_geq(two, one + 100);
	cr_expect_eq((uintptr_t)two % 64, 0);
	wiped_memory_free(one, 100);
	memset(two, 1, 1);	/* still there */
}

Test(wiped_memory, has_room_for_the_first_tables)
{
	for (unsigned i = 0; i < STATE_TABLES / 4096; i++)
		cr_assert(is_of_state(wiped_memory_alloc(4096)), "%u", i);
}

Test(wiped_memory, maps_what_has_no_room)
{
	char *large = wiped_memory_alloc(STATE_TABLES + 1), *small, *last;

	cr_assert(mmap_area_contains(large, STATE_TABLES + 1));
	large[STATE_TABLES] = 1;
	wiped_memory_free(large, STATE_TABLES + 1);
	small = wiped_memory_alloc(STATE_TABLES);
	cr_expect(is_of_state(small), "the large one took nothing of it");
	last = wiped_memory_alloc(1);
	cr_assert(mmap_area_contains(last, 1));
	cr_expect_null(wiped_memory_alloc(SIZE_MAX));
	cr_expect_null(wiped_memory_alloc(SIZE_MAX - 4096));
}

Test(wiped_memory, is_mapped_once_it_is_closed)
{
	char *before = wiped_memory_alloc(8), *after;

	wiped_memory_close();
	after = wiped_memory_alloc(8);
	cr_assert(is_of_state(before));
	cr_assert(mmap_area_contains(after, 8));
	*before = *after = 1;
}

/* The call continues in a child of the child, too, whose state is wiped. */
static int
allocate_in_a_wiped_child(void)
{
	memset(mon->tables, 0, sizeof(mon->tables));
	atomic_store(&mon->tables_used, 0);
	return is_of_state(wiped_memory_alloc(8)) ? __LINE__ : 0;
}

Test(wiped_memory, stays_closed_over_forks)
{
	cr_assert_neq(target_child(allocate_in_a_wiped_child), 0);
	wiped_memory_close();
	cr_assert_eq(target_child(allocate_in_a_wiped_child), 0);
}
