/* Context: O.  Samples one after the other, thread by thread. */
#ifndef SAMPLE_SPANS_H
#define SAMPLE_SPANS_H

#include "derive/sample_paths.h"

/*
 * A time that a thread was at a row: a sample where it was recorded when that
 * was, and else all of them at that row, as if a thread had done one after the
 * other.
 */
struct sample_span {
	uint32_t row;
	uint64_t ns;
	uint64_t at;		/* ns since the first began, of any thread */
};

struct sample_spans {
	/* of rows that sample_paths_get() takes */
	struct sample_span *all;
	size_t count, room;
	size_t *first;		/* of all: where each thread begins, and the
				   end */
	size_t threads;
	uint64_t began;		/* ns since 1970; 0 = not recorded */
};

/* 0 or -ENOMEM; free it in any case. */
int sample_spans_make(struct sample_spans *p, struct sample_paths *s);
void sample_spans_free(struct sample_spans *p);

#endif
