/*
 * Context: O.  Writes numbers for a page as text: LEB128 in base64 (RFC 4648),
 * which takes a third of the bytes of decimal digits and which a browser
 * decodes faster: numbers() of data.js.  For the files of this folder.
 */
#ifndef VARINT_COLUMN_H
#define VARINT_COLUMN_H

#include <stdint.h>
#include <stdio.h>

/* A column that is being written. */
struct varint_column {
	FILE *out;
	uint32_t bits;		/* bits of bytes that are not written yet */
	unsigned count;		/* number of those bytes: 0 to 2 */
};

/* Begins a member "name":" of a JSON object. */
void varint_column_begin(struct varint_column *c, FILE *out, const char *name);
/* Begins a member that is not the object's first. */
void varint_column_begin_next(struct varint_column *c, FILE *out,
    const char *name);
/* Writes one number. */
void varint_column_put(struct varint_column *c, uint64_t number);
/* Writes the rest and the closing quote. */
void varint_column_end(struct varint_column *c);

#endif
