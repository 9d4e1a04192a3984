/*
 * Context: O.  Compares two profiles line by line, and tells changes from
 * noise.
 */
#ifndef DIFF_H
#define DIFF_H

#include "base/data_table.h"
#include "base/quantity.h"
#include "base/string_pool.h"
#include "base/term.h"
#include "table/group.h"

/* Most columns of text. */
#define DIFF_TEXTS	GROUP_COUNT

/* A line of the table: what has the same texts in both profiles. */
struct diff_line {
	const char *texts[DIFF_TEXTS];	/* by column */
	uint64_t ns[2], count[2];	/* before, now */
	bool sampled;		/* all its time comes from samples */
	double error;		/* one standard deviation of the change, ns */
	bool sleep;
};

/* A comparison. */
struct diff {
	enum group_by columns[DIFF_TEXTS];
	size_t column_count;
	struct diff_line *lines;	/* largest change first */
	size_t count, room;
	struct string_pool keys;	/* key of each line, by its index */
	uint64_t total[2];		/* CPU time, or the metric of a heap */
	double error;	/* one standard deviation of the change of total[] */
	/* a file stores names as they are shown, so these are compared */
	bool spoken;
	bool exact;	/* nothing was sampled, so there are no errors */
	struct quantity unit;
};

/*
 * Compares the groups of two models.  g[] must have all lines, grouped alike by
 * `by`; m[0] and g[0] are "before".  Texts live as long as m[0].  Returns 0 or
 * -ENOMEM; call diff_free() in either case.
 */
int diff_make(struct diff *d, struct model *const m[2],
    const struct group g[2], unsigned by);

/* Frees the lines. */
void diff_free(struct diff *d);

/*
 * A change of more standard deviations than this is real; a smaller one may be
 * chance.
 */
#define DIFF_SURE	3.0

/* Verdict on a change: not all of it is in samples, may be chance, or real. */
enum diff_verdict { DIFF_UNKNOWN, DIFF_NOISE, DIFF_CHANGE };

/* Returns the verdict on the change of a line. */
enum diff_verdict diff_verdict(const struct diff_line *l);

/* Limits of a table of differences. */
struct diff_options {
	uint64_t top;		/* most lines; 0 = all */
	double least;	/* percent of the larger total that a line must have */
};

/*
 * diff_print() prints the differences that *o selects, for people; diff_data()
 * prints all of them as a data table.
 */
void diff_print(const struct term *t, const struct diff *d,
    const struct diff_options *o);
void diff_data(FILE *out, enum data_table_format form, const struct diff *d);

#endif
