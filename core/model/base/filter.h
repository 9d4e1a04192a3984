/*
 * Context: O.  The user's filters: shell patterns for processes, threads,
 * modules and functions.  The options of prof set them; readers apply them to
 * processes and threads, views and exporters to modules and functions.  Tools
 * without such options pass an empty filter to model_init().
 */
#ifndef FILTER_H
#define FILTER_H

#include "symbol/name_match.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Kinds of filters.  They are applied in this order, each to what the filters
 * before it have left.
 */
enum filter_kind {
	FILTER_PID,
	FILTER_PROGRAM,
	FILTER_THREAD,
	FILTER_MODULE,
	FILTER_FUNCTION,
	FILTER_FOCUS,		/* a stack must have such a function */
	FILTER_IGNORE,		/* a stack must not have such a function */
	FILTER_KINDS,
};

/* A pattern of names, as a user types it. */
struct filter_pattern {
	const char *text;	/* borrowed */
	/* how it matches; filter_names.h loosens it */
	enum name_match how;
	bool found;		/* something matches it in that way */
	/* a regular expression, /.../; NULL: it is none; allocated */
	regex_t *regex;
};

/*
 * Patterns of each kind.  One of the patterns must match (for FILTER_IGNORE,
 * none may match); a kind without patterns selects everything.  All fields 0 is
 * a filter that matches everything.  The tool owns it; a model borrows it.
 */
struct filter {
	struct filter_pattern *pattern[FILTER_KINDS];
	size_t count[FILTER_KINDS];
	size_t room[FILTER_KINDS];
	/* trees and exporters show time asleep, not CPU time */
	bool asleep;
};

/*
 * Adds a pattern of that kind, which matches whole names until
 * filter_names_loosen().  The text is not copied and must outlive *f.  For the
 * kinds from FILTER_FUNCTION on, text between slashes is an extended regular
 * expression, which matches any part.  Returns 0, -ENOMEM, or -EINVAL if it is
 * no such expression.
 */
int filter_add(struct filter *f, enum filter_kind what, const char *pattern);

/* Returns whether a pattern matches a text. */
bool filter_pattern_matches(const struct filter_pattern *p, const char *text);

/* Frees the lists of patterns; *f must not be used afterwards. */
void filter_free(struct filter *f);

/*
 * filter_is_on() returns whether there are patterns of that kind.
 * filter_match_text() and filter_match_number() return whether a pattern of
 * that kind matches the text or the decimal number, or whether there are none.
 * filter_match_module() does so for FILTER_MODULE: a pattern must match the
 * name, or the whole path.
 */
bool filter_is_on(const struct filter *f, enum filter_kind what);
bool filter_match_text(const struct filter *f, enum filter_kind what,
    const char *text);
bool filter_match_module(const struct filter *f, const char *name,
    const char *path);
bool filter_match_number(const struct filter *f, enum filter_kind what,
    int64_t number);

/*
 * Returns the first kind that has patterns but matched nothing, or FILTER_KINDS
 * if there is none.  met[] says which kinds matched.
 */
enum filter_kind filter_first_unmatched(const struct filter *f,
    const bool *met);

#endif
