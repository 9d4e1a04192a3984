/*
 * Context: O.  Prints text on a stream that may be a terminal: colors, width,
 * and text from outside made safe.  For views, faults and other messages of the
 * tools, and the texts of the prof device.
 */
#ifndef TERM_H
#define TERM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A stream for a report. */
struct term {
	FILE *out;
	bool colour;
	int width;	/* columns; 0 = no limit, as it is no terminal */
};

/*
 * Sets *t for a stream, which the caller keeps open.  A terminal has the width
 * that it reports, else that of COLUMNS or 80, and at least 40 columns; it has
 * color unless NO_COLOR is set and not empty, or TERM is "dumb" or not set.
 * Any other stream has neither.  Where color and width are not wanted, *t is
 * set by hand: { .out = stream }.
 */
void term_init(struct term *t, FILE *out);

/*
 * Makes term_init() treat the stream `memory` like the terminal on which its
 * contents will be shown later, until the next call; NULL: no stream.  For prof
 * --live, whose report is made in memory.  Not thread-safe.
 */
void term_set_alias(FILE *memory, FILE *terminal);

/* How text is drawn. */
enum term_style { TERM_HEAD, TERM_HOT, TERM_DIM };

/*
 * term_on() returns the text that switches a style on, term_off() the text that
 * switches all styles off; both return "" where there is no color.
 */
const char *term_on(const struct term *t, enum term_style style);
const char *term_off(const struct term *t);

/*
 * Prints text from outside.  Control characters become '?'; text wider than
 * `width` columns (0 = no limit) loses its middle, in whole characters.
 * Returns the number of columns printed, which is less than `width` if the text
 * is shorter or a wide character was cut off, and 3 for a cut text if `width`
 * is 1 or 2.
 */
int term_text(const struct term *t, const char *text, int width);

/* Prints a time, in ns since 1970, as local date and time of day. */
void term_date(FILE *out, uint64_t real);

/* Returns the number of columns that a text takes. */
int term_columns(const char *text);

#endif
