/* Context: O.  Tests of core/hot/mask.c. */
#include "mask.h"

#include <criterion/criterion.h>

#define T	SYS_SIGBIT(SIGPROF)
#define A	SYS_SIGBIT(SIGSTKFLT)
#define PLAIN	SYS_SIGBIT(SIGUSR1)

static void
use(int tick, int other, bool moved)
{
	atomic_store(&view.signal, tick);
	atomic_store(&view.other, other);
	view.moved = moved;
	mask_own.asked = (struct mask_asked){0};
}

/* Every set of the four that differ in anything. */
static uint64_t
pick(unsigned i)
{
	return (i & 1 ? T : 0) | (i & 2 ? A : 0) | (i & 4 ? MASK_SHADOW : 0) |
	    (i & 8 ? PLAIN : 0);
}

Test(mask, before_the_move)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t wanted = pick(i), real, seen;

		use(SIGPROF, SIGSTKFLT, false);
		real = mask_real(wanted, &mask_own.asked);
		cr_expect_eq(real & (T | A), 0, "%u: ours blocked", i);
		cr_expect_eq(real & PLAIN, wanted & PLAIN);
		seen = mask_seen(real);
		cr_expect_eq(seen, wanted, "%u: %#jx, not %#jx", i,
		    (uintmax_t)seen, (uintmax_t)wanted);
	}
}

Test(mask, after_the_move)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t wanted = pick(i), real;

		use(SIGSTKFLT, SIGPROF, true);
		real = mask_real(wanted, &mask_own.asked);
		/* All native but the signal that ticks come by now. */
		cr_expect_eq(real, wanted & ~A, "%u", i);
		cr_expect_eq(mask_seen(real), wanted, "%u", i);
		cr_expect(mask_own.asked.settled);
	}
}

/* A thread blocked this before another one's use of T made the ticks move. */
Test(mask, over_the_move)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t wanted = pick(i), real;

		use(SIGPROF, SIGSTKFLT, false);
		real = mask_real(wanted, &mask_own.asked);
		cr_expect_not(mask_own.asked.settled);
		atomic_store(&view.signal, SIGSTKFLT);
		atomic_store(&view.other, SIGPROF);
		view.moved = true;
		real = mask_settle(real);
		cr_expect(mask_own.asked.settled);
		cr_expect_eq(real, wanted & ~A, "%u: %#jx", i,
		    (uintmax_t)real);
		cr_expect_eq(mask_seen(real), wanted, "%u", i);
	}
}

/* Carried by the real mask alone: a thread or context that TLS knows not of. */
Test(mask, blocked_ticks_travel_in_the_mask)
{
	uint64_t real;

	use(SIGPROF, SIGSTKFLT, false);
	real = mask_real(T | PLAIN, &mask_own.asked);
	mask_own.asked = (struct mask_asked){0};
	cr_expect_eq(mask_seen(real), T | PLAIN);
	real = mask_real(PLAIN, &mask_own.asked);
	cr_expect_eq(mask_seen(real), PLAIN);
}

Test(mask, notes_go_where_they_are_asked_to)
{
	struct mask_asked asked = {0};

	use(SIGPROF, SIGSTKFLT, false);
	mask_real(A | MASK_SHADOW, &asked);
	cr_expect(asked.other);
	cr_expect(asked.shadow);
	cr_expect(asked.shadow_only);
	cr_expect_not(mask_own.asked.other || mask_own.asked.shadow);
	mask_real(T | MASK_SHADOW, &asked);
	cr_expect_not(asked.other);
	cr_expect(asked.shadow);
	cr_expect_not(asked.shadow_only);
}

/* sig=STKFLT: the pair the other way round. */
Test(mask, another_signal)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t wanted = pick(i), real;

		use(SIGSTKFLT, SIGPROF, false);
		real = mask_real(wanted, &mask_own.asked);
		cr_expect_eq(real & (T | A), 0);
		cr_expect_eq(mask_seen(real), wanted, "%u", i);
	}
}
