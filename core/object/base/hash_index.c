/*
 * Context: O.  The random number that all hashes of this process depend on,
 * chosen before main() of each tool; see hash_index.h.
 */
#define _GNU_SOURCE		/* getrandom */
#include "base/hash_index.h"

#include <sys/random.h>

uint64_t hash_index_seed;

/*
 * Chooses the random number.  Without it the author of a file could choose keys
 * that all have one hash.
 */
__attribute__((constructor)) static void
choose_hash_seed(void)
{
	if (getrandom(&hash_index_seed, sizeof(hash_index_seed),
	    GRND_NONBLOCK) != (ssize_t)sizeof(hash_index_seed))
		hash_index_seed = (uintptr_t)&hash_index_seed;
}
