/*
 * Context: O.  prof --embed: stores the names and lines of a profile's places
 * in the profile, so that a report can be made where the programs are not.
 * cmd/prof/per_file.c calls it for each file by itself.
 */
#ifndef EMBED_H
#define EMBED_H

#include "fault.h"

#include <stdint.h>

/* Numbers for a message. */
struct embed_sum {
	uint64_t places, named;	/* places; those that got a name */
	uint64_t bytes;		/* bytes that the names take */
};

/*
 * Adds names to the profile `path`, in place if `to` is NULL, else in the new
 * file `to`.  The file is replaced as a whole or left as it is; it is refused
 * while its process runs.  Returns 0; LOAD_OTHER if it is no profile; or -errno
 * with *f set.
 */
int embed(const char *path, const char *to, struct embed_sum *sum,
    struct fault *f);

#endif
