/*
 * Context: O.  spaces LIB SECONDS: opens a library in a namespace of its own
 * and uses CPU time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int
main(int argc, char **argv)
{
	double seconds = argc == 3 ? atof(argv[2]) : 0;
	struct timespec now;

	if (argc != 3 || dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW) == NULL) {
		fprintf(stderr, "spaces: %s\n", dlerror());
		return 2;
	}
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while ((double)now.tv_sec + (double)now.tv_nsec / 1e9 < seconds);
	return 0;
}
