/*
 * Context: O.  The header of callgrind.out: the columns of costs, the program,
 * and the sum that tells whether a part is whole.  Used by the reader
 * (callgrind.c).
 */
#ifndef CALLGRIND_HEADER_H
#define CALLGRIND_HEADER_H

#include "callgrind_line.h"

/* The state of the header. */
struct callgrind_header {
	struct callgrind_line_columns columns;
	struct text program;
	int32_t pid;
	/* These three describe the part that is being read. */
	bool summed;		/* the part's header has the sum of its costs */
	/* Sum in the header less the costs so far, modulo 2^64. */
	uint64_t missing;
	bool ended;		/* the part's last line was read */
	/* the part has not the event, or positions that are not known */
	bool no_event, no_positions;
	/* why the first such part was left out, and its line; NULL: none */
	const char *why, *remedy;
	uint64_t why_line;
};

/*
 * Returns a header before its first line: until it says otherwise, lines of
 * costs have line numbers.
 */
struct callgrind_header callgrind_header_unknown(void);

/*
 * Reads a line of the header.  Sets the unit in *x from the first line of
 * events; later parts must have the same event.  A part that cannot be read is
 * skipped in *x.  Returns false if it is no line of a header.
 */
bool callgrind_header_read(struct callgrind_header *h, struct import *x,
    struct text line);

/* Returns whether the costs of the part are to be left out. */
static inline bool
callgrind_header_is_left_out(const struct callgrind_header *h)
{
	return h->no_event || h->no_positions;
}

/*
 * Ends the part, before another begins or at the end of the file.  A whole part
 * ends with its totals.  One without totals was cut off if its costs differ
 * from its summary; then a record of *x is skipped.
 */
void callgrind_header_end_part(struct callgrind_header *h, struct import *x);

#endif
