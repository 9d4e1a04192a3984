/*
 * Context: O.  Allocations by many paths, each of which says of itself which it
 * is: more than a thread remembers, from other places of the stack each time,
 * and by more frames than are summed.
 *
 * heappaths BITS TURNS: 2^BITS paths, each a call of zero() or one() for each
 * bit; number n asks for n % 1000 + 1 bytes, twice a turn.  Then from 300
 * frames and less.
 */
#include "bits.h"
#include "load.h"

#include <alloca.h>
#include <stdlib.h>

static void *volatile block;

__attribute__((noinline)) static void
ask(size_t n)
{
	free(block = malloc(n));
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void
shifted(unsigned bytes, unsigned bits, unsigned left, size_t n)
{
	char *volatile p = alloca(bytes + 1);

	*p = 1;
	zero(bits, left, n);
	*p = 2;
}

__attribute__((noinline)) static void
sink(unsigned left)
{
	if (left != 0)
		sink(left - 1);
	else
		ask(7);
	__asm__ volatile("" ::: "memory");
}

/* After each one that differs from it in one call, another in each turn. */
__attribute__((noinline)) static void
visit(unsigned turn, unsigned n, unsigned left)
{
	const unsigned bytes = turn / 2 * 48 + n % 3 * 16;
	const unsigned near = n ^ 1u << turn % left;

	shifted(bytes, n, left, n % 1000 + 1);
	shifted(bytes, near, left, near % 1000 + 1);
	__asm__ volatile("" ::: "memory");
}

int
main(int argc, char **argv)
{
	const unsigned left = (unsigned)load_number(argc, argv, 1, 10);
	const unsigned turns = (unsigned)load_number(argc, argv, 2, 3);
	unsigned turn, i, n;

	for (turn = 0; turn < turns; turn++) {
		/* In order, and in others: an odd number meets all. */
		for (i = 0; i < 1u << left; i++)
			visit(turn, i * (2 * turn + 1) % (1u << left), left);
		for (n = 0; n <= 300; n++)
			sink(n % 2 == 0 ? n : 300 - n);
	}
	return 0;
}
