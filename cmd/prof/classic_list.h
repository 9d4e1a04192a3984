/* Context: O.  The classic listing of some files. */
#ifndef CLASSIC_LIST_H
#define CLASSIC_LIST_H

#include "listing.h"

struct classic_list {
	struct listing_options set;
	const char *program;	/* NULL = not named */
	const char **files;	/* one at least */
	size_t file_count;
};

/* On standard output, and mon.sum; what is wrong is said.  The exit code. */
int classic_list(const struct classic_list *what);

#endif
