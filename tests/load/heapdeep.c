/*
 * Context: O.  Allocations from stacks of any depth: as deep as what is kept,
 * and deeper after that.
 */
#include <stdlib.h>

static void *volatile block;

__attribute__((noinline)) static void
shallow(unsigned n)
{
	if (n > 0)
		shallow(n - 1);
	else
		free(block = malloc(100));
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void
deep(unsigned n)
{
	if (n > 0)
		deep(n - 1);
	else
		free(block = malloc(1000));
	__asm__ volatile("" ::: "memory");
}

/* Each level goes on further in: more frames than are kept in all. */
__attribute__((noinline)) static void
climb(unsigned n)
{
	free(block = malloc(10));
	deep(20);
	if (n > 0)
		climb(n - 1);
	__asm__ volatile("" ::: "memory");
}

int
main(void)
{
	unsigned i, n;

	for (i = 0; i < 3; i++) {
		for (n = 0; n < 8; n++) {
			shallow(n);
			deep(20);
		}
		climb(20);
	}
	return 0;
}
