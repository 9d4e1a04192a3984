/*
 * Context: O.  Compares two sides of runs line by line, and tells changes from
 * noise.  For prof --diff (cmd/prof/prof_diff.c), which reads the models and
 * makes their groups.  The HTML page takes only DIFF_SURE, from diff_stats.h.
 */
#ifndef DIFF_H
#define DIFF_H

#include "base/arena.h"
#include "base/data_table.h"
#include "base/quantity.h"
#include "base/string_pool.h"
#include "base/term.h"
#include "diff/diff_stats.h"
#include "names/common_names.h"
#include "table/group.h"

/* Most columns of text. */
#define DIFF_TEXTS	GROUP_COUNT

/* The sides of a comparison. */
enum diff_side {
	DIFF_BEFORE = COMMON_NAMES_BEFORE,
	DIFF_NOW = COMMON_NAMES_NOW,
	DIFF_SIDES = COMMON_NAMES_SIDES,
};

/* Verdict on the change of a line. */
enum diff_verdict {
	DIFF_UNKNOWN,	/* not all of it is in samples */
	DIFF_NOISE,	/* it may be chance */
	DIFF_AMOUNT,	/* sure in seconds alone: the work may differ */
	DIFF_SHARE,	/* sure as a share alone: other lines changed */
	DIFF_CHANGE,	/* sure in seconds and as a share, in one direction */
};

/* A line of the table: what has the same texts in all runs. */
struct diff_line {
	const char *texts[DIFF_TEXTS];	/* by column, in diff.texts */
	bool sleep;
	bool sampled;		/* all its time comes from samples */
	/* in the run that diff_make() is adding */
	uint64_t run_ns, run_count;
	struct diff_values amounts[DIFF_SIDES];	/* ns, or bytes or blocks */
	struct diff_values shares[DIFF_SIDES];	/* percent of all CPU time */
	struct diff_change amount, share;
	enum diff_verdict verdict;
};

/* A comparison. */
struct diff {
	enum group_by columns[DIFF_TEXTS];
	size_t column_count;
	/* changes that are sure first, then by their size; sleep last */
	struct diff_line *lines;
	size_t count, room;
	struct arena texts;
	struct string_pool keys;	/* key of each line, by its index */
	size_t runs[DIFF_SIDES];
	struct diff_values totals[DIFF_SIDES];
	struct diff_change total;	/* CPU time, or the heap's metric */
	struct common_names names;	/* of functions, modules and programs */
	bool whole_names;	/* the user wants names of functions whole */
	/* each side is one run, and all was counted: there are no errors */
	bool exact;
	/*
	 * the user said how much work each side did, so that amounts can be
	 * compared and shares are not judged
	 */
	bool per_work;
	double work[DIFF_SIDES];
	struct quantity unit;
};

/*
 * One run: a model with names, and its groups, made without --top and --min so
 * that they have all lines.  The caller owns both.
 */
struct diff_run {
	enum diff_side side;
	struct model *model;
	struct group groups;
};

/*
 * Compares runs whose groups were made by `by`, a set of 1 << enum group_by;
 * each side has one or more, and all have one metric, that of the last.  The
 * numbers of a side are means over its runs.  work: units of work that a run of
 * each side did, both above 0: the numbers of now are then for the work of
 * before; NULL: not known.  The texts of the lines are copies, but the models
 * outlive *d.  Returns 0 or -ENOMEM; call diff_free() in either case.
 */
int diff_make(struct diff *d, const struct diff_run *runs, size_t count,
    unsigned by, const double *work);

/* Frees the lines and their texts, and empties *d. */
void diff_free(struct diff *d);

/* Returns the word for a verdict: "yes", "noise", "amount", "share" or "-". */
const char *diff_verdict_word(enum diff_verdict verdict);

/*
 * Returns an amount, which is not below 0, as a whole number; UINT64_MAX if it
 * is 9e18 or more, as in forged files.
 */
uint64_t diff_whole(double amount);

/*
 * Returns by how many percentage points the share of a line changed, rounded to
 * a tenth so that a zero has no sign of its own.
 */
double diff_points(const struct diff_line *l);

/*
 * Returns by how many percent of the total before a line grew; if l is NULL, by
 * how many the total grew.  Returns 0 if it did not grow or if that is not
 * sure, and INFINITY if it grew and the total before is 0.
 */
double diff_growth(const struct diff *d, const struct diff_line *l);

/* Limits of a table of differences. */
struct diff_options {
	uint64_t top;		/* most lines; 0 = all */
	double least;	/* percent of the larger total that a line must have */
};

/* A walk over the lines that are shown.  All 0: before the first. */
struct diff_walk {
	size_t next;
	size_t shown, hidden, same;	/* lines so far */
	unsigned verdicts;	/* 1u << verdict of those that are shown */
};

/*
 * Returns the next line that *o selects, NULL after the last.  Counts in
 * w->hidden the lines that *o leaves out.  In an exact comparison it also
 * leaves out lines that are as before, and counts them in w->same.
 */
const struct diff_line *diff_walk_next(const struct diff *d,
    const struct diff_options *o, struct diff_walk *w);

/*
 * Returns the title of a column of text, by its number, less than
 * d->column_count.  Processes are compared by their programs.
 */
const char *diff_title(const struct diff *d, size_t column);

/*
 * Prints a text of a line, by its column, in at most `room` columns; 0: no
 * limit.  A name of a function is shortened as in other tables.  Returns the
 * number of columns printed.
 */
int diff_text_print(const struct term *t, const struct diff *d, size_t column,
    const char *text, int room);

/*
 * Prints the sentences below a table: the totals, lines that the walk left out,
 * and the meaning of the verdicts that it has shown, each line after `mark`;
 * `quote` is as in diff_names_print().
 */
void diff_footer_print(FILE *out, const struct diff *d,
    const struct diff_options *o, const struct diff_walk *w, const char *mark,
    const char *quote);

/*
 * Prints a line after `mark` for each module whose functions are compared as
 * one, and one for a program that was renamed.  `quote` stands around file
 * names and programs.
 */
void diff_names_print(FILE *out, const struct common_names *c,
    const char *mark, const char *quote);

/*
 * Both print the differences that *o selects, for people: diff_print() as text,
 * diff_markdown() as a table for a review comment.  diff_data() prints all of
 * them as a data table.
 */
void diff_print(const struct term *t, const struct diff *d,
    const struct diff_options *o);
void diff_markdown(FILE *out, const struct diff *d,
    const struct diff_options *o);
void diff_data(FILE *out, enum data_table_format form, const struct diff *d);

#endif
