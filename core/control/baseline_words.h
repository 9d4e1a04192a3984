/*
 * Context: O.  Collects everything that a profile has counted so far, as a list
 * of words.  profile_reset.c writes the list into the profile as its baseline
 * (`prof --control ... end`), and readers subtract it.
 */
#ifndef BASELINE_WORDS_H
#define BASELINE_WORDS_H

#include "decode/decode.h"

/* A growing list of baseline words.  The caller zeroes it before first use. */
struct baseline_words {
	/* file offset of a counter and the value to subtract */
	struct format_baseline_word *all;
	size_t count, room;
	/* profile that is being collected from */
	const struct decode *file;
};

/*
 * Adds to *w one word for each counter in the profile `d` that is not 0.  d: a
 * copy from which no baseline was subtracted (load_open_raw()).  Returns 0, or
 * -errno with *f set.  The caller calls baseline_words_free() in either case.
 */
int baseline_words_collect(struct baseline_words *w, struct decode *d,
    struct fault *f);

/* Frees the list. */
void baseline_words_free(struct baseline_words *w);

#endif
