/* Context: O.  A file of a classic profiler, for the classic listing. */
#ifndef LISTING_SOURCE_H
#define LISTING_SOURCE_H

#include "fault.h"
#include "listing.h"

struct listing_source {
	struct listing_file file;
	unsigned char *bytes;	/* malloced */
};

/*
 * program: that it is of, or NULL; not every layout says what addresses are
 * like.  0, or an enum listing_exit with *f set.
 */
int listing_source_open(struct listing_source *s, const char *path,
    const char *program, struct fault *f);
void listing_source_close(struct listing_source *s);

/* Is it one?  Quiet. */
bool listing_source_is(const char *path, const char *program);

#endif
