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
};

/*
 * Returns a header before its first line: until it says otherwise, lines of
 * costs have line numbers.
 */
struct callgrind_header callgrind_header_unknown(void);

/*
 * Reads a line of the header, whose number in the file is `number`.  Sets the
 * unit in *x from the line of events.  Returns 0; 1 if it is no such line; or
 * -EINVAL with *f set.
 */
int callgrind_header_read(struct callgrind_header *h, struct import *x,
    struct text line, uint64_t number, struct fault *f);

/*
 * Ends the part, before another begins or at the end of the file.  A whole part
 * ends with its totals.  One without totals was cut off if its costs differ
 * from its summary; then a record of *x is skipped.
 */
void callgrind_header_end_part(struct callgrind_header *h, struct import *x);

#endif
