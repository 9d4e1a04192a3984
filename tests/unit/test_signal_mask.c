/* Context: O.  Tests of core/hot/thread/signal_mask.c. */
#include "thread/signal_mask.h"

#include <criterion/criterion.h>

#define T	SYS_SIGBIT(SIGPROF)
#define A	SYS_SIGBIT(SIGSTKFLT)
#define PLAIN	SYS_SIGBIT(SIGUSR1)

static void
use(int tick, int other, bool moved)
{
	atomic_store(&virtual_signals.signal, tick);
	atomic_store(&virtual_signals.other, other);
	virtual_signals.moved = moved;
	signal_mask_own.program = (struct signal_mask_program){0};
}

/* Every set of the four that differ in anything. */
static uint64_t
pick(unsigned i)
{
	return (i & 1 ? T : 0) | (i & 2 ? A : 0) | (i & 4 ? SIGNAL_MASK_SHADOW :
	    0) | (i & 8 ? PLAIN : 0);
}

Test(signal_mask, before_the_move)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t wanted = pick(i), real, seen;

		use(SIGPROF, SIGSTKFLT, false);
		real = signal_mask_real(wanted, &signal_mask_own.program);
		cr_expect_eq(real & (T | A), 0, "%u: ours blocked", i);
		cr_expect_eq(real & PLAIN, wanted & PLAIN);
		seen = signal_mask_virtual(real);
		cr_expect_eq(seen, wanted, "%u: %#jx, not %#jx", i,
		    (uintmax_t)seen, (uintmax_t)wanted);
	}
}

Test(signal_mask, after_the_move)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t wanted = pick(i), real;

		use(SIGSTKFLT, SIGPROF, true);
		real = signal_mask_real(wanted, &signal_mask_own.program);
		/* All native but the signal that ticks come by now. */
		cr_expect_eq(real, wanted & ~A, "%u", i);
		cr_expect_eq(signal_mask_virtual(real), wanted, "%u", i);
		cr_expect(signal_mask_own.program.settled);
	}
}

/* A thread blocked this before another one's use of T made the ticks move. */
Test(signal_mask, over_the_move)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t wanted = pick(i), real;

		use(SIGPROF, SIGSTKFLT, false);
		real = signal_mask_real(wanted, &signal_mask_own.program);
		cr_expect_not(signal_mask_own.program.settled);
		atomic_store(&virtual_signals.signal, SIGSTKFLT);
		atomic_store(&virtual_signals.other, SIGPROF);
		virtual_signals.moved = true;
		real = signal_mask_apply_move(real);
		cr_expect(signal_mask_own.program.settled);
		cr_expect_eq(real, wanted & ~A, "%u: %#jx", i,
		    (uintmax_t)real);
		cr_expect_eq(signal_mask_virtual(real), wanted, "%u", i);
	}
}

/* Carried by the real mask alone: a thread or context that TLS knows not of. */
Test(signal_mask, blocked_ticks_travel_in_the_mask)
{
	uint64_t real;

	use(SIGPROF, SIGSTKFLT, false);
	real = signal_mask_real(T | PLAIN, &signal_mask_own.program);
	signal_mask_own.program = (struct signal_mask_program){0};
	cr_expect_eq(signal_mask_virtual(real), T | PLAIN);
	real = signal_mask_real(PLAIN, &signal_mask_own.program);
	cr_expect_eq(signal_mask_virtual(real), PLAIN);
}

Test(signal_mask, notes_go_where_they_are_asked_to)
{
	struct signal_mask_program asked = {0};

	use(SIGPROF, SIGSTKFLT, false);
	signal_mask_real(A | SIGNAL_MASK_SHADOW, &asked);
	cr_expect(asked.other);
	cr_expect(asked.shadow);
	cr_expect(asked.shadow_only);
	cr_expect_not(signal_mask_own.program.other ||
	    signal_mask_own.program.shadow);
	signal_mask_real(T | SIGNAL_MASK_SHADOW, &asked);
	cr_expect_not(asked.other);
	cr_expect(asked.shadow);
	cr_expect_not(asked.shadow_only);
}

/* sig=STKFLT: the pair the other way round. */
Test(signal_mask, another_signal)
{
	for (unsigned i = 0; i < 16; i++) {
		uint64_t wanted = pick(i), real;

		use(SIGSTKFLT, SIGPROF, false);
		real = signal_mask_real(wanted, &signal_mask_own.program);
		cr_expect_eq(real & (T | A), 0);
		cr_expect_eq(signal_mask_virtual(real), wanted, "%u", i);
	}
}
