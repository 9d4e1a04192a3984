/* Context: O.  All that a profile has counted, as words to be taken off it. */
#ifndef WORDS_H
#define WORDS_H

#include "decode.h"

/* Zeroed at first. */
struct words {
	struct format_base_word *all;
	size_t count, room;
	const struct decode *file;
};

/* 0 or -errno, and *f. */
int words_collect(struct words *w, struct decode *d, struct fault *f);
void words_free(struct words *w);

#endif
