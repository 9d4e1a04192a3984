/* Context: O.  What the parts of the reader of callgrind.out have in common. */
#ifndef CALLGRIND_LINE_H
#define CALLGRIND_LINE_H

#include "hash_index.h"
#include "import.h"

/* Texts by the numbers that a file gives them: "(12) main", then "(12)". */
struct callgrind_line_names {
	struct callgrind_line_name {
		uint64_t number;
		struct text text;
	} *all;
	size_t count, room;
	struct hash_index by_number;
};

enum { CALLGRIND_INSTR, CALLGRIND_LINE, CALLGRIND_POSITIONS };

/* Of a line of costs: where it is, and the one that was chosen of them. */
struct callgrind_line_cost {
	uint64_t at[CALLGRIND_POSITIONS];
	bool is_known[CALLGRIND_POSITIONS];
	int64_t value;		/* below 0 where the event counts changes */
};

/* What `positions:` and `events:` say of those lines. */
struct callgrind_line_columns {
	bool has[CALLGRIND_POSITIONS];
	size_t chosen;		/* event */
	struct callgrind_line_cost last;	/* what "+3", "-2" and "*" are
					   relative to: not known after a
					   line that is wrong */
};

/*
 * The text behind "fn=" and its like.  0, -EINVAL: a number without a name; or
 * -ENOMEM.
 */
int callgrind_line_name(struct callgrind_line_names *n, struct text t,
    struct text *name);
void callgrind_line_names_free(struct callgrind_line_names *n);

/*
 * Returns whether the line, which is not empty, begins as a line of costs does.
 */
bool callgrind_line_is_cost(struct text line);

/*
 * Reads a line of costs.  Returns false if it is no such line, or if the chosen
 * event has no number there; other events may have any text.
 */
bool callgrind_line_cost(struct callgrind_line_columns *c, struct text line,
    struct callgrind_line_cost *cost);

/*
 * Reads the chosen event's cost from costs without positions, such as those
 * after "summary:".  Returns false if it is no number.
 */
bool callgrind_line_value(const struct callgrind_line_columns *c,
    struct text costs, int64_t *value);

#endif
