/* Context: O.  A built profile, decoded from a tail copy. */
#ifndef OPENED_H
#define OPENED_H

#include "build.h"
#include "decode/decode.h"

struct opened {
	struct decode d;
	struct fault f;
	unsigned char *copy;
	size_t size;
	int error;		/* of decode_open() */
};

/* The first `size` bytes of what was built. */
void opened_part(struct opened *o, struct build *b, size_t size);
void opened_whole(struct opened *o, struct build *b);
void opened_fini(struct opened *o);

/* Visit everything as a tool does: 0, or -errno with o->f set.  Checks on the
 * way that what comes out is in bounds and that its number is. */
int opened_walk(struct opened *o);

/* Fails the running test unless opening or walking gives this fault. */
void opened_refuses(struct build *b, const char *what, uint64_t offset);

/* Expects instead that the file opens with this many cuts. */
void opened_cuts(struct build *b, uint64_t cuts);

#endif
