/*
 * Context: O.  The user's filters: shell patterns for processes, threads,
 * modules and functions.
 */
#ifndef FILTER_H
#define FILTER_H

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

/*
 * Patterns of each kind.  One of the patterns must match; a kind without
 * patterns matches everything.  All fields 0 is a filter that matches
 * everything.
 */
struct filter {
	const char **pattern[FILTER_KINDS];
	size_t count[FILTER_KINDS];
	size_t room[FILTER_KINDS];
	/* stacks of the time asleep are wanted, not of CPU time */
	bool asleep;
};

/*
 * Adds a pattern of that kind.  The text is not copied.  Returns 0 or -ENOMEM.
 */
int filter_add(struct filter *f, enum filter_kind what, const char *pattern);

/* Frees the lists of patterns. */
void filter_free(struct filter *f);

/*
 * filter_is_on() returns whether there are patterns of that kind.
 * filter_match_text() and filter_match_number() return whether a pattern of
 * that kind matches the text or the decimal number, or whether there are none.
 */
bool filter_is_on(const struct filter *f, enum filter_kind what);
bool filter_match_text(const struct filter *f, enum filter_kind what,
    const char *text);
bool filter_match_number(const struct filter *f, enum filter_kind what,
    int64_t number);

/*
 * Returns the first kind that has patterns but matched nothing, or FILTER_KINDS
 * if there is none.  met[] says which kinds matched.
 */
enum filter_kind filter_first_unmatched(const struct filter *f,
    const bool *met);

#endif
