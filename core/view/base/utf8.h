/* Context: O.  One character of a text from outside, as a terminal shows it. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct utf8_char {
	size_t bytes;
	int columns;	/* 0 = drawn over what stands before it, 2 = wide */
	bool shown;	/* may a terminal see it?  Else a '?' stands for it */
};

/*
 * The first one of a text, which is not empty.  It is UTF-8 whatever the locale
 * says: what is no character there is shown byte by byte, as '?'.
 */
struct utf8_char utf8_first(const char *text);

/* Is all of it well-formed? */
bool utf8_is_valid(const char *text);

/* The text; U+FFFD instead of each byte that is no character. */
void utf8_put(FILE *out, const char *text);

#endif
