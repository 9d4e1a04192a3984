/* Context: O.  Texts in JSON. */
#ifndef JSON_H
#define JSON_H

#include <stdio.h>

/*
 * In quotes, and fit to stand in a page.  JSON is UTF-8: U+FFFD for each byte
 * that is none.
 */
void json_text(FILE *out, const char *text);

#endif
