/* Context: O.  Where the report goes: terminal or not, and how wide. */
#ifndef TERM_H
#define TERM_H

#include <stdbool.h>
#include <stdio.h>

struct term {
	FILE *out;
	bool colour;
	int width;	/* 0 = as wide as it gets: not a terminal */
};

/* A terminal has a width, and colour unless NO_COLOR is set or TERM is dumb. */
void term_init(struct term *t, FILE *out);

/*
 * A stream in memory that is shown on a terminal later is one; one at a time.
 */
void term_set_alias(FILE *memory, FILE *terminal);

enum term_style { TERM_HEAD, TERM_HOT, TERM_DIM };

/* "" where there is no colour. */
const char *term_on(const struct term *t, enum term_style style);
const char *term_off(const struct term *t);

/*
 * Text from outside: control characters become '?', and what is wider than
 * `width` columns (0 = no limit) loses its middle, whole characters only.  The
 * columns written: less than `width`, where a wide one was cut off.
 */
int term_text(const struct term *t, const char *text, int width);

/* Columns that a text takes. */
int term_columns(const char *text);

#endif
