/*
 * Context: O.  Numbers for a page, as text: LEB128 in base64 (RFC 4648), which
 * is a third of the bytes of decimal digits, and which a browser takes apart
 * faster.
 */
#ifndef VARINT_COLUMN_H
#define VARINT_COLUMN_H

#include <stdint.h>
#include <stdio.h>

struct varint_column {
	FILE *out;
	uint32_t bits;		/* of bytes that are not out yet */
	unsigned count;		/* of those bytes: 0 to 2 */
};

/* "name":" as a member of a JSON object, and what ends it. */
void varint_column_begin(struct varint_column *c, FILE *out, const char *name);
void varint_column_put(struct varint_column *c, uint64_t number);
void varint_column_end(struct varint_column *c);

#endif
