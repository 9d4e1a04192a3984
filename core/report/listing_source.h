/* Context: O.  The profiles that a classic listing is of. */
#ifndef LISTING_SOURCE_H
#define LISTING_SOURCE_H

#include "fault.h"
#include "listing.h"

struct listing_source {
	struct listing_file file;
	unsigned char *bytes;	/* malloced */
};

/* Is it a file of a classic profiler?  Quiet. */
bool listing_source_is(const char *path, const char *program);

/*
 * All of those files, in sources[], which has room for `count`; *made is how
 * many.  Profiles of ours become one, a versioned mon.out in memory.  0, or an
 * enum listing_exit with *f set.
 */
int listing_source_read(struct listing_source *sources, size_t *made,
    const char *const *paths, size_t count, const char *program,
    struct fault *f);

void listing_source_free(struct listing_source *sources, size_t count);

/* Where no program is named: the one that the classic takes, if it is there. */
const char *listing_program(const char *named, const char *const *paths,
    size_t count);

#endif
