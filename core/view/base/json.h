/*
 * Context: O.  Prints texts as JSON strings, for data tables, exporters and the
 * HTML page.
 */
#ifndef JSON_H
#define JSON_H

#include <stdio.h>

/*
 * Prints a text in quotes, escaped so that it can also stand in a script of an
 * HTML page.  JSON is UTF-8: each byte that is not part of a character becomes
 * U+FFFD.
 */
void json_text(FILE *out, const char *text);

#endif
