/* Context: O.  What makes hashes of this process its own. */
#define _GNU_SOURCE		/* getrandom */
#include "finder.h"

#include <sys/random.h>

uint64_t finder_seed;

/* Without it who makes a file could choose keys that all have one hash. */
__attribute__((constructor)) static void
choose_seed(void)
{
	if (getrandom(&finder_seed, sizeof(finder_seed), GRND_NONBLOCK) !=
	    (ssize_t)sizeof(finder_seed))
		finder_seed = (uintptr_t)&finder_seed;
}
