/*
 * Context: O.  A heap that grows and shrinks, by a count of its own.
 *
 * heapgrowth N [BRIEF]: allocates N blocks of 4000 bytes, slowly, and keeps a
 * quarter of them; beside them N / 10 of 7 bytes and as many of none; when half
 * of N are there one of BRIEF bytes, freed at once.  Prints "key value" lines:
 * what it asked for, and what was resident when most was live.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BYTES	4000

static char **all;

static void
rest(void)
{
	const struct timespec ms = { 0, 1000000 };

	nanosleep(&ms, NULL);
}

static char *
block(size_t bytes)
{
	char *p = malloc(bytes);

	if (p == NULL)
		_exit(3);
	return memset(p, 1, bytes);
}

static void
grow(long n, size_t brief)
{
	for (long i = 0; i < n; i++) {
		if (i == n / 2)
			free(block(brief));
		all[i] = block(BYTES);
		if (i % 10 == 0) {
			free(block(7));
			free(block(0));
			rest();
		}
	}
}

static void
shrink(long n)
{
	for (long i = n; i-- > n / 4;) {
		free(all[i]);
		if (i % 10 == 0)
			rest();
	}
}

static long
resident(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f == NULL || fscanf(f, "%*d %ld", &pages) != 1)
		_exit(4);
	fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

int
main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 1000;
	long most;

	all = calloc((size_t)n, sizeof(*all));
	if (all == NULL)
		return 3;
	grow(n, argc > 2 ? (size_t)atol(argv[2]) : 0);
	most = resident();
	shrink(n);
	printf("blocks %ld\nkept_bytes %ld\nresident %ld\n", n, n / 4 * BYTES,
	    most);
	return 0;
}
