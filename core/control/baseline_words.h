/* Context: O.  All that a profile has counted, as words to be taken off it. */
#ifndef BASELINE_WORDS_H
#define BASELINE_WORDS_H

#include "decode.h"

/* Zeroed at first. */
struct baseline_words {
	struct format_baseline_word *all;
	size_t count, room;
	const struct decode *file;
};

/* 0 or -errno, and *f. */
int baseline_words_collect(struct baseline_words *w, struct decode *d,
    struct fault *f);
void baseline_words_free(struct baseline_words *w);

#endif
