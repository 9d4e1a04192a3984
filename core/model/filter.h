/* Context: O.  What the user wants to see: shell patterns. */
#ifndef FILTER_H
#define FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which they are asked: each of what those before it leave. */
enum filter_what {
	FILTER_PID,
	FILTER_PROGRAM,
	FILTER_THREAD,
	FILTER_MODULE,
	FILTER_FUNCTION,
	FILTER_FOCUS,		/* of a stack: some function of it ... */
	FILTER_IGNORE,		/* ... and that none is */
	FILTER_WHATS,
};

/* A list of patterns a kind: any of them may match; an empty one is "all". */
struct filter {
	const char **pattern[FILTER_WHATS];
	size_t count[FILTER_WHATS];
	size_t room[FILTER_WHATS];
	bool asleep;		/* of stacks: the time asleep, not CPU time */
};

int filter_add(struct filter *f, enum filter_what what, const char *pattern);
void filter_free(struct filter *f);

bool filter_is_on(const struct filter *f, enum filter_what what);
bool filter_text(const struct filter *f, enum filter_what what,
    const char *text);
bool filter_number(const struct filter *f, enum filter_what what,
    int64_t number);

/* The first that is on and that nothing met; FILTER_WHATS = all were. */
enum filter_what filter_unmet(const struct filter *f, const bool *met);

#endif
