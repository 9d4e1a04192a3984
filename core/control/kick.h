/* Context: O.  Having threads of another process run a handler of ours. */
#ifndef KICK_H
#define KICK_H

#include "format.h"

struct kick {
	int *fds;
	unsigned count;		/* threads that will run it; 0 none could be */
};

/*
 * Each thread of the process runs libmon's handler as soon as it runs code of
 * the program, and never in a system call; until kick_end().  Nothing where
 * that cannot be had: perf events are refused, or the process is not certain to
 * be the one of the header.
 */
void kick_begin(struct kick *k, struct format_header *h);
void kick_end(struct kick *k);

#endif
