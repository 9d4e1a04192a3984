/*
 * Context: load.  monitor(3C) of a range in a shared library.  With -DLIBRARY
 * this file becomes that library, else the program that loads the library named
 * by its first argument; with a second one it unloads the library before it
 * stops monitor().
 */
#include "load.h"

#include "mon.h"

#include <dlfcn.h>

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
main(int argc, char **argv)
{
	static WORD buffer[1 << 15];
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	unsigned long (*hot)(double seconds);
	uintptr_t low;

	if (library == NULL)
		load_die("dlopen");
	*(void **)&hot = dlsym(library, "lib_hot");
	low = (uintptr_t)hot & ~(uintptr_t)4095;
	monitor((int (*)(void))low, (int (*)(void))(low + 4096), buffer,
	    sizeof(buffer) / sizeof(WORD), CELLS);
	hot(0.3);
	if (argc > 2)
		dlclose(library);
	monitor(NULL, NULL, NULL, 0, 0);
	return 0;
}
#endif
