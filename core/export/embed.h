/* Context: O.  prof --embed: the names of a profile stored in it. */
#ifndef EMBED_H
#define EMBED_H

#include "fault.h"

#include <stdint.h>

struct embed_sum {
	uint64_t places, named;
	uint64_t bytes;		/* that it took */
};

/*
 * In place, or to another file.  What is there is replaced as a whole, or stays
 * as it is.  0, LOAD_OTHER: it is no profile; or -errno with *f set.
 */
int embed(const char *path, const char *to, struct embed_sum *sum,
    struct fault *f);

#endif
