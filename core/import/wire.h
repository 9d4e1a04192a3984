/* Context: O.  The fields of a message of protocol buffers. */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire {
	const unsigned char *at, *end;
};

enum { WIRE_NUMBER = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

struct wire_field {
	uint32_t number;
	unsigned type;		/* WIRE_* */
	uint64_t value;		/* of all but WIRE_BYTES */
	struct wire bytes;	/* of that */
};

/* The next field; *w behind it.  1, 0 at the end, -EINVAL: it is none. */
int wire_next(struct wire *w, struct wire_field *f);

/*
 * The next number of a field that repeats, packed or not: each of a field at
 * hand, once all but the first call have *w as the call before left it.
 */
int wire_number(struct wire *w, uint64_t *value);

#endif
