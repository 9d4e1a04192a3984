/*
 * Context: O.  Reads UTF-8 text from outside character by character, as a
 * terminal may show it.  term.c and json.c ask for characters, the exporter of
 * pprof for whole texts.  Call it from one thread at a time.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One character. */
struct utf8_char {
	size_t bytes;
	/* 0 = combines with the character before it, 2 = wide */
	int columns;
	/* false: it must not be sent to a terminal; print '?' instead */
	bool shown;
};

/*
 * Returns the first character of a text, which must not be empty.  The text is
 * taken as UTF-8 in any locale; a byte that is not part of a character is one
 * character, not shown.
 */
struct utf8_char utf8_first(const char *text);

/* Returns whether all of a text is well-formed UTF-8. */
bool utf8_is_valid(const char *text);

/*
 * Prints a text with U+FFFD in place of each byte that is not part of a
 * character.
 */
void utf8_put(FILE *out, const char *text);

#endif
