/*
 * Context: load.  Functions that call each other by copies of CPython's
 * trampoline in memory of no file, as python3 -X perf does.  Burns the seconds
 * that it is given, two thirds below left() and one below right().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef int body(int n);
typedef int trampoline(int n, void *, void *, body *);

static trampoline *copies[3];
static volatile unsigned sink;

__attribute__((noinline)) static int
leaf(int n)
{
	unsigned x = (unsigned)n;

	for (int i = 0; i < 100000; i++)
		x = x * 1664525 + 1013904223;
	sink = x;
	return n + 1;
}

__attribute__((noinline)) static int
left(int n)
{
	return copies[1](n, NULL, NULL, leaf) + copies[1](n, NULL, NULL,
	    leaf);
}

__attribute__((noinline)) static int
right(int n)
{
	return copies[2](n, NULL, NULL, leaf) + 1;
}

/* Makes the copies, as far apart as CPython puts them; false: other CPU. */
static int
make_copies(void)
{
#ifdef __x86_64__
	static const unsigned char code[] = {
		0x48, 0x83, 0xec, 0x08, 0xff, 0xd1, 0x48, 0x83, 0xc4, 0x08,
		0xc3,
	};
	unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return 0;
	for (int i = 0; i < 3; i++) {
		memcpy(page + 16 * i, code, sizeof(code));
		copies[i] = (trampoline *)(void *)(page + 16 * i);
	}
	return mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
#else
	return 0;
#endif
}

int
main(int argc, char **argv)
{
	const double seconds = argc > 1 ? atof(argv[1]) : 1;
	int n = 0;

	if (!make_copies())
		return 77;
	while ((double)clock() / CLOCKS_PER_SEC < seconds)
		n += copies[0](n & 7, NULL, NULL, left) + copies[0](n & 7,
		    NULL, NULL, right);
	return n == 0;
}
