/*
 * Context: O.  Parses the compressed parts of callgrind.out, names and
 * positions; used by callgrind.c and callgrind_header.c only.
 */
#ifndef CALLGRIND_LINE_H
#define CALLGRIND_LINE_H

#include "base/hash_index.h"
#include "import.h"

/* The texts that a file numbers: "(12) main" the first time, "(12)" later. */
struct callgrind_line_names {
	struct callgrind_line_name {
		uint64_t number;
		struct text text;
	} *all;
	size_t count, room;
	struct hash_index by_number;
};

/* Kinds of positions in a line of costs. */
enum { CALLGRIND_INSTR, CALLGRIND_LINE, CALLGRIND_POSITIONS };

/* A line of costs: its positions, and the cost of the chosen event. */
struct callgrind_line_cost {
	uint64_t at[CALLGRIND_POSITIONS];	/* values of the positions */
	bool is_known[CALLGRIND_POSITIONS];
	int64_t value;		/* negative where the event counts changes */
};

/*
 * The columns of the lines of costs, from the lines `positions:` and `events:`.
 */
struct callgrind_line_columns {
	bool has[CALLGRIND_POSITIONS];	/* positions that lines have */
	size_t chosen;		/* number of the chosen event */
	size_t events;		/* number of all events; 0: not named yet */
	/*
	 * The line before, which "+3", "-2" and "*" are relative to; its
	 * positions are not known after a line that is wrong.
	 */
	struct callgrind_line_cost last;
};

/*
 * Sets *name from the text behind "fn=" and the like: a name, a number with a
 * name, which is recorded and replaces an earlier one, or the number of a
 * recorded name.  *name lies in the file.  Returns 0, -EINVAL for a number
 * without a name, or -ENOMEM.
 */
int callgrind_line_name(struct callgrind_line_names *n, struct text t,
    struct text *name);
/* Frees the record of names. */
void callgrind_line_names_free(struct callgrind_line_names *n);

/*
 * Returns whether the line, which is not empty, begins as a line of costs does.
 */
bool callgrind_line_is_cost(struct text line);

/*
 * Reads a line of costs, and keeps its positions in *c for the next line.
 * Returns false if it is no such line, or if the chosen event has no number
 * there; other events may have any text.
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
