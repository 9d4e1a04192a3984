/*
 * Context: O.  Numbers for a page, as text: LEB128 in base64 (RFC 4648), which
 * is a third of the bytes of decimal digits, and which a browser takes apart
 * faster.
 */
#ifndef COLUMN_H
#define COLUMN_H

#include <stdint.h>
#include <stdio.h>

struct column {
	FILE *out;
	uint32_t bits;		/* of bytes that are not out yet */
	unsigned count;		/* of those bytes: 0 to 2 */
};

/* "name":" as a member of a JSON object, and what ends it. */
void column_begin(struct column *c, FILE *out, const char *name);
void column_put(struct column *c, uint64_t number);
void column_end(struct column *c);

#endif
