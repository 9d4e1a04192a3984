/* Context: O.  Tests of core/hot/lock.c. */
#include "lock.h"
#include "target.h"

#include <criterion/criterion.h>

static _Atomic uint32_t word;

static void
start(void)
{
	target_init();
	atomic_store(&word, 0);
}

TestSuite(lock, .init = start, .fini = target_fini);

Test(lock, it_is_of_one)
{
	cr_expect_eq(lock_take(&word, 7), LOCK_TAKEN);
	cr_expect_eq(atomic_load(&word), 7);
	lock_drop(&word);
	cr_expect_eq(lock_take(&word, 8), LOCK_TAKEN);
}

Test(lock, what_was_left_is_given_up_for_its_holder_alone)
{
	cr_assert_eq(lock_take(&word, 7), LOCK_TAKEN);
	cr_expect(!lock_take_left(&word, 8));
	cr_expect_eq(atomic_load(&word), 7);
	cr_expect(lock_take_left(&word, 7));
	lock_drop(&word);
	cr_expect(!lock_take_left(&word, 7));
}

/* Once nobody had it any more, and all others waited for ten seconds. */
Test(lock, giving_up_that_was_left_amid_goes_on)
{
	cr_assert_eq(lock_take(&word, 7), LOCK_TAKEN);
	cr_assert(lock_take_left(&word, 7));
	cr_expect(!lock_take_left(&word, 8));
	cr_expect(lock_take_left(&word, 7));
	lock_drop(&word);
	cr_expect_eq(lock_take(&word, 8), LOCK_TAKEN);
}
