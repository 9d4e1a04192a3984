/*
 * Context: O.  The time of each line of a table since the table before, for
 * reports that are repeated while programs run.  cmd/prof/live.c owns the state
 * for prof --live; group_make() updates it.
 */
#ifndef GROUP_INTERVAL_H
#define GROUP_INTERVAL_H

#include "table/group.h"

/* A line of the table before. */
struct group_interval_line {
	char *key;		/* what the line is of; part of `keys` */
	uint64_t count, ns;
};

/* The table before.  Zeroes are the state before the first one. */
struct group_interval {
	bool begun;		/* there is a table before */
	char *keys;
	struct group_interval_line *lines;	/* sorted by key */
	size_t count;
	uint64_t samples;	/* of all lines */
	uint64_t total_ns;	/* CPU time of all rows, then */
	uint64_t last_ns;	/* CPU time of all rows since then */
};

/*
 * Sets last_ns of the lines of *g and of *x to the time since the table before,
 * and keeps *g as the table before of the next call.  g->lines must be all
 * lines of the table.  Where there are fewer samples than before, counts were
 * removed, and all that are there are new.  Returns 0, or -ENOMEM; then *x is
 * unchanged.
 */
int group_interval_update(struct group_interval *x, struct model *m,
    struct group *g);

/* Frees the table before, so that *x is in the state before the first one. */
void group_interval_free(struct group_interval *x);

#endif
