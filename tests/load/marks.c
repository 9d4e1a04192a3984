/* Context: load.  Parts of one function, by MARK of prof.h: marks ROUNDS. */
#include "load.h"

#include "prof.h"

__attribute__((noinline)) static uint64_t
work(uint64_t rounds)
{
	uint64_t x = rounds, i;
	int k;

	for (i = 0; i < rounds; i++) {
		MARK(short_part);
		for (k = 0; k < 100; k++)
			__asm__ volatile("" : "+r"(x));
		MARK(long_part);
		for (k = 0; k < 2000; k++)
			__asm__ volatile("" : "+r"(x));
	}
	return x;
}

int
main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;

	work(n);
	printf("M.short_part %lu\nM.long_part %lu\n", (unsigned long)n,
	    (unsigned long)n);
	return 0;
}
