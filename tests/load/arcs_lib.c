/* Context: load.  The library of arcs.c: calls within itself, some through its
 * own PLT. */
#include "arcs.h"

static WHOLE unsigned
helper(unsigned n)
{
	KEEP(n);
	return n * 2;
}

WHOLE void
lib_each(unsigned n, void (*fn)(unsigned, void *), void *arg)
{
	unsigned i;

	for (i = 0; i < n; i++)
		fn(helper(i), arg);
}

WHOLE unsigned
lib_sum(unsigned n)
{
	unsigned i, sum = 0;

	for (i = 0; i < n; i++)
		sum += helper(i);
	return sum;
}

WHOLE unsigned
lib_depth(unsigned n)
{
	unsigned below = n == 0 ? lib_sum(3) : lib_depth(n - 1);

	KEEP(below);
	return below + 1;
}

static WHOLE __attribute__((constructor)) void
lib_early(void)
{
	lib_sum(2);
	__asm__ volatile("");
}

static WHOLE __attribute__((destructor)) void
lib_late(void)
{
	lib_sum(1);
	__asm__ volatile("");
}
