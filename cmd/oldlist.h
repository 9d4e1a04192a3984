/* Context: O.  The classic listing of some files. */
#ifndef OLDLIST_H
#define OLDLIST_H

#include "listing.h"

struct oldlist {
	struct listing_options set;
	const char *program;	/* NULL = not named */
	const char **files;	/* one at least */
	size_t file_count;
};

/* On standard output, and mon.sum; what is wrong is said.  The exit code. */
int oldlist(const struct oldlist *what);

#endif
