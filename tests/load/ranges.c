/*
 * Context: load.  monitor(3C) of a range in a shared library.  With -DLIBRARY
 * this file becomes that library, else the program that is linked with it.
 */
#include "load.h"

#include "mon.h"

__attribute__((noinline)) unsigned long lib_hot(double seconds);
__attribute__((noinline)) unsigned long lib_cold(unsigned long n);

#ifdef LIBRARY
unsigned long
lib_cold(unsigned long n)
{
	return n + 1;
}

unsigned long
lib_hot(double seconds)
{
	double end = load_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	unsigned long n = 0, i;

	while (load_clock(CLOCK_THREAD_CPUTIME_ID) < end)
		for (i = 0; i < 100000; i++)
			__asm__ volatile("" : "+r"(n));
	return lib_cold(n);
}
#else
#define CELLS 50

int
main(void)
{
	static WORD buffer[1 << 15];
	uintptr_t low = (uintptr_t)lib_hot & ~(uintptr_t)4095;

	monitor((int (*)(void))low, (int (*)(void))(low + 4096), buffer,
	    sizeof(buffer) / sizeof(WORD), CELLS);
	lib_hot(0.3);
	monitor(NULL, NULL, NULL, 0, 0);
	return 0;
}
#endif
