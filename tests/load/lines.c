/*
 * Context: load.  Code with its time in lines that can be told apart, some of
 * them inlined: lines, or with an argument in one function that is too large to
 * be shown.  A text in it would end a page that takes it for more than text.
 */
#include "load.h"

static volatile uint64_t sink;

static inline __attribute__((always_inline)) uint64_t
mix(uint64_t x)
{
	for (int i = 0; i < 200; i++)
		__asm__ volatile("imul %0, %0" : "+r"(x));
	return x;
}

__attribute__((noinline, noclone)) uint64_t
work(uint64_t x)
{
	for (int i = 0; i < 100; i++)
		__asm__ volatile("imul %0, %0" : "+r"(x)); /* </script> */
	x = mix(x);
	for (int i = 0; i < 100; i++)
		__asm__ volatile("imul %0, %0" : "+r"(x));
	return x;
}

__attribute__((noinline, noclone)) uint64_t
large(uint64_t x)
{
	__asm__ volatile(".rept 150000\n\timul %0, %0\n\t.endr" : "+r"(x));
	return x;
}

int
main(int argc, char **argv)
{
	(void)argv;
	while (load_clock(CLOCK_PROCESS_CPUTIME_ID) < 0.6)
		for (uint64_t i = 0; i < 100; i++)
			sink = argc > 1 ? large(i) : work(i);
	return 0;
}
