/* Context: O.  Tests of core/format/fault.c. */
#include "fault.h"

#include <criterion/criterion.h>
#include <errno.h>

Test(fault, data_is_einval_and_says_where)
{
	struct fault f = {.remedy = "stale", .file = "stale", .errnum = 7};

	cr_assert_eq(fault_set(&f, "broken", 0x120, 0), -EINVAL);
	cr_assert_str_eq(f.what, "broken");
	cr_assert_eq(f.offset, 0x120);
	cr_assert_eq(f.errnum, 0);
	cr_assert_null(f.remedy);
	cr_assert_null(f.file);
}

Test(fault, the_system_keeps_its_number)
{
	struct fault f;

	cr_assert_eq(fault_set(&f, "no", FAULT_NO_OFFSET, EIO), -EIO);
	cr_assert_eq(f.errnum, EIO);
	cr_assert_eq(f.offset, FAULT_NO_OFFSET);
}

Test(fault, of_a_text_says_the_line)
{
	struct fault f = {.remedy = "stale", .errnum = 7};

	cr_assert_eq(fault_set_line(&f, "broken", 12), -EINVAL);
	cr_assert_str_eq(f.what, "broken");
	cr_assert_eq(f.line, 12);
	cr_assert_eq(f.offset, FAULT_NO_OFFSET);
	cr_assert_eq(f.errnum, 0);
	cr_assert_null(f.remedy);
	cr_assert_eq(fault_set(&f, "broken", 0x120, 0), -EINVAL);
	cr_assert_eq(f.line, 0);
}
