/* Context: O.  Tests of core/hot/base/robust_lock.c. */
#include "base/robust_lock.h"
#include "target.h"

#include <criterion/criterion.h>

static _Atomic uint32_t word;

static void
start(void)
{
	target_init();
	atomic_store(&word, 0);
}

TestSuite(robust_lock, .init = start, .fini = target_fini);

Test(robust_lock, it_is_of_one)
{
	cr_expect_eq(robust_lock_take(&word, 7), ROBUST_LOCK_TAKEN);
	cr_expect_eq(atomic_load(&word), 7);
	robust_lock_drop(&word);
	cr_expect_eq(robust_lock_take(&word, 8), ROBUST_LOCK_TAKEN);
}

Test(robust_lock, what_was_left_is_given_up_for_its_holder_alone)
{
	cr_assert_eq(robust_lock_take(&word, 7), ROBUST_LOCK_TAKEN);
	cr_expect(!robust_lock_recover(&word, 8));
	cr_expect_eq(atomic_load(&word), 7);
	cr_expect(robust_lock_recover(&word, 7));
	robust_lock_drop(&word);
	cr_expect(!robust_lock_recover(&word, 7));
}

/* Once nobody had it any more, and all others waited for ten seconds. */
Test(robust_lock, giving_up_that_was_left_amid_goes_on)
{
	cr_assert_eq(robust_lock_take(&word, 7), ROBUST_LOCK_TAKEN);
	cr_assert(robust_lock_recover(&word, 7));
	cr_expect(!robust_lock_recover(&word, 8));
	cr_expect(robust_lock_recover(&word, 7));
	robust_lock_drop(&word);
	cr_expect_eq(robust_lock_take(&word, 8), ROBUST_LOCK_TAKEN);
}
