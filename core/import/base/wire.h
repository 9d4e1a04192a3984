/*
 * Context: O.  Reads the encoding of protocol buffers, field by field, without
 * copies.  For the reader of pprof's files (pprof.c, pprof_tables.c).  The
 * bytes are those of the file and are not trusted.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a message, or of a part of it. */
struct wire {
	const unsigned char *at, *end;
};

/* Types of fields. */
enum { WIRE_NUMBER = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* A field of a message. */
struct wire_field {
	uint32_t number;
	unsigned type;		/* WIRE_* */
	uint64_t value;		/* value, if type is not WIRE_BYTES */
	struct wire bytes;	/* contents, if type is WIRE_BYTES */
};

/*
 * Reads the next field and moves *w behind it.  Returns 1, 0 at the end, or
 * -EINVAL if the bytes are no field or the field is cut short.
 */
int wire_next(struct wire *w, struct wire_field *f);

/*
 * Reads the next number of a packed field, whose contents are *w, and moves *w
 * behind it.  Returns 1, 0 at the end, or -EINVAL if the bytes are no number.
 */
int wire_number(struct wire *w, uint64_t *value);

#endif
