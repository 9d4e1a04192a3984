/*
 * Context: load. Arcs that one place of a shard's table is for: stubs know the
 * first two. calls_miss CALLS prints the CPU time of a call, in ns: of the
 * first two, and of the others.
 */
#include "load.h"

#define ARCS	8
#define MASK	(255 * 32)	/* first table of arc_shard.c */

void __cyg_profile_func_enter(void *function, void *site);

/* As core/arch/CPU/mcount.S has it. */
static uint64_t
place(uint64_t self, uint64_t from)
{
	uint64_t h = (from * 0x1e3779b1u + self) * 0x45ebca6bu;

	return h >> 27 & MASK;
}

static double
cost(void *self, uint64_t from, unsigned long calls)
{
	double t = load_clock(CLOCK_THREAD_CPUTIME_ID);
	unsigned long i;

	for (i = 0; i < calls; i++)
		__cyg_profile_func_enter(self, (void *)from);
	return (load_clock(CLOCK_THREAD_CPUTIME_ID) - t) * 1e9 /
	    (double)calls;
}

int
main(int argc, char **argv)
{
	unsigned long calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	uint64_t self = (uintptr_t)main, from[ARCS], at = self;
	double known = 0, missed = 0;
	int i;

	for (i = 0; i < ARCS; at++)
		if (i == 0 || place(self, at) == place(self, from[0]))
			from[i++] = at;
	for (i = 0; i < ARCS; i++)
		__cyg_profile_func_enter((void *)self, (void *)from[i]);
	for (i = 0; i < ARCS; i++)
		*(i < 2 ? &known : &missed) += cost((void *)self, from[i],
		    calls);
	printf("%.2f %.2f\n", known / 2, missed / (ARCS - 2));
	return 0;
}
