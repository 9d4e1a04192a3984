/* Context: load.  A library with one function of a given name, counted in
 * another program's profile: -DNAME=..., built with -pg.. */
#include <stdint.h>

__attribute__((noinline, noclone)) uint64_t
NAME(uint64_t x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

__attribute__((no_instrument_function)) uint64_t
calls_run(uint64_t n)
{
	uint64_t x = 0;

	while (n-- > 0)
		x = NAME(x);
	return x;
}
