/*
 * Context: O.  Prints the classic listing of files.  classic_main.c, which
 * parses the command line, calls this.
 */
#ifndef CLASSIC_LIST_H
#define CLASSIC_LIST_H

#include "listing.h"

/*
 * Prints the listing on standard output and writes mon.sum if asked.  Reports
 * faults on standard error.  Returns the exit status, an enum listing_exit.
 */
struct classic_list {
	struct listing_options set;
	const char *program;	/* NULL: not named */
	const char **files;	/* at least one file */
	size_t file_count;
};

/*
 * Prints the listing on standard output and writes mon.sum if asked.  Reports
 * faults on standard error.  Returns the exit status.
 */
int classic_list(const struct classic_list *what);

#endif
