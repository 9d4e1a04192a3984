/* Context: O.  What the user wants to see: shell patterns. */
#ifndef FILTER_H
#define FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which they are asked: each of what those before it leave. */
enum filter_kind {
	FILTER_PID,
	FILTER_PROGRAM,
	FILTER_THREAD,
	FILTER_MODULE,
	FILTER_FUNCTION,
	FILTER_FOCUS,		/* of a stack: some function of it ... */
	FILTER_IGNORE,		/* ... and that none is */
	FILTER_KINDS,
};

/* A list of patterns a kind: any of them may match; an empty one is "all". */
struct filter {
	const char **pattern[FILTER_KINDS];
	size_t count[FILTER_KINDS];
	size_t room[FILTER_KINDS];
	bool asleep;		/* of stacks: the time asleep, not CPU time */
};

int filter_add(struct filter *f, enum filter_kind what, const char *pattern);
void filter_free(struct filter *f);

bool filter_is_on(const struct filter *f, enum filter_kind what);
bool filter_match_text(const struct filter *f, enum filter_kind what,
    const char *text);
bool filter_match_number(const struct filter *f, enum filter_kind what,
    int64_t number);

/* The first that is on and that nothing met; FILTER_KINDS = all were. */
enum filter_kind filter_first_unmatched(const struct filter *f,
    const bool *met);

#endif
