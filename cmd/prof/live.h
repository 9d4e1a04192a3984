/* Context: O.  --live: a report that is made anew while programs run. */
#ifndef LIVE_H
#define LIVE_H

#include "fault.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#define LIVE_FAULTS 16

struct live {
	bool terminal;
	unsigned rows;		/* of it; 0 = as many as there are */
	bool cleared;
	FILE *out;		/* the report that is being made */
	char *text;
	size_t bytes;
	struct timespec began;
	struct {
		const char *what;
		char *file;	/* malloced */
	} told[LIVE_FAULTS];	/* errors of reports before */
	unsigned told_count;
};

void live_init(struct live *l);
void live_free(struct live *l);

/* Was that error of an earlier report as well?  It is from now on. */
bool live_has_reported(struct live *l, const struct fault *f);

/* How many lines of a table leave room for its head and footer; 0 = all. */
unsigned live_lines(const struct live *l);

/* Where the next report goes; NULL: no memory. */
FILE *live_begin(struct live *l);

/*
 * Shows it: on a terminal over the last one, as much as there is room for, or
 * all if it is the last; elsewhere behind it.  false: it cannot be written.
 */
bool live_show(struct live *l, bool last);

/* A second, or as long as one takes a fifth of a processor at most. */
void live_wait(const struct live *l);

#endif
