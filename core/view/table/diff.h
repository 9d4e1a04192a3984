/* Context: O.  Two profiles beside each other, and what of it is no chance. */
#ifndef DIFF_H
#define DIFF_H

#include "base/data_table.h"
#include "base/quantity.h"
#include "base/string_pool.h"
#include "base/term.h"
#include "table/group.h"

#define DIFF_TEXTS	GROUP_COUNT

/* What both call the same. */
struct diff_line {
	const char *texts[DIFF_TEXTS];	/* by column; "" of none */
	uint64_t ns[2], count[2];	/* before, now */
	bool sampled;		/* all its time is in samples ... */
	double error;		/* ... and this one standard deviation, ns */
	bool sleep;
};

struct diff {
	enum group_by columns[DIFF_TEXTS];
	size_t column_count;
	struct diff_line *lines;	/* the largest change first */
	size_t count, room;
	struct string_pool keys;
	uint64_t total[2];		/* CPU time */
	double error;			/* of its change */
	bool spoken;			/* functions are as they are shown */
	bool exact;			/* nothing was sampled */
	struct quantity unit;
};

/*
 * Groups of all lines, by the same; texts live as long as m[0].  0 or -ENOMEM.
 */
int diff_make(struct diff *d, struct model *const m[2],
    const struct group g[2], unsigned by);
void diff_free(struct diff *d);

/* More standard deviations than this are a change, less may be chance. */
#define DIFF_SURE	3.0

enum diff_verdict { DIFF_UNKNOWN, DIFF_NOISE, DIFF_CHANGE };
enum diff_verdict diff_verdict(const struct diff_line *l);

struct diff_options {
	uint64_t top;		/* 0 = all */
	double least;		/* percent of the larger total */
};

void diff_print(const struct term *t, const struct diff *d,
    const struct diff_options *o);
void diff_data(FILE *out, enum data_table_format form, const struct diff *d);

#endif
