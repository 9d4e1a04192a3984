/* Context: O.  Samples one after the other, thread by thread. */
#ifndef PIECES_H
#define PIECES_H

#include "samples.h"

/*
 * A time that a thread was at a row: a sample where it was recorded when that
 * was, and else all of them at that row, as if a thread had done one after the
 * other.
 */
struct piece {
	uint32_t row;
	uint64_t ns;
	uint64_t at;		/* ns since the first began, of any thread */
};

struct pieces {
	struct piece *all;	/* of rows that samples_path() takes */
	size_t count, room;
	size_t *first;		/* of all: where each thread begins, and the
				   end */
	size_t threads;
	uint64_t began;		/* ns since 1970; 0 = not recorded */
};

/* 0 or -ENOMEM; free it in any case. */
int pieces_make(struct pieces *p, struct samples *s);
void pieces_free(struct pieces *p);

#endif
