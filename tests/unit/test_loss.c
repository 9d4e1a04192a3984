/* Context: O.  Tests of core/format/loss.c. */
#include "loss.h"

#include <criterion/criterion.h>

Test(loss, every_row_has_name_unit_and_text)
{
	for (unsigned i = 0; i < LOSS_COUNT; i++) {
		cr_expect_not_null(loss_name(i), "%u", i);
		cr_expect_not_null(loss_unit(i), "%u", i);
		cr_expect_not_null(loss_text(i), "%u", i);
	}
}

Test(loss, names_are_distinct)
{
	for (unsigned i = 0; i < LOSS_COUNT; i++)
		for (unsigned j = 0; j < i; j++)
			cr_expect_str_neq(loss_name(i), loss_name(j));
}

/* Files keep the numbers for good; this copy is not made from the table. */
Test(loss, numbers_stay)
{
	static const char *const names[] = {
		"NESTED", "STORE_FULL", "STORE_SPACE", "STORE_TAKEN",
		"STORE_NONE", "STORE_RACE", "ALTSTACK", "THREAD_CLOCK",
		"THREAD_SLOT", "THREAD_FROZEN", "FROZEN", "MODULE_FULL",
		"MODULE_READ", "PC_UNKNOWN", "DISPLACED", "YIELDED", "RING",
		"SLEEP_READ", "TAIL", "KERNEL_RING",
	};
	unsigned count = sizeof names / sizeof *names;

	cr_assert_geq(LOSS_COUNT, count);
	for (unsigned i = 0; i < count; i++)
		cr_expect_str_eq(loss_name(i), names[i]);
}

Test(loss, a_number_without_a_row_has_no_name)
{
	cr_expect_null(loss_name(LOSS_COUNT));
	cr_expect_null(loss_unit(LOSS_MAX - 1));
	cr_expect_null(loss_text(LOSS_MAX));
	cr_expect_null(loss_name(~0u));
}
