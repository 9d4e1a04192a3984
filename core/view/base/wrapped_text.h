/*
 * Context: O.  Prints a text broken into lines behind an indentation, for
 * findings and for the names in brackets of prof --explain.
 */
#ifndef WRAPPED_TEXT_H
#define WRAPPED_TEXT_H

#include "base/term.h"

/*
 * Prints a text and a newline, on a line of which `column` columns are printed
 * already.  On a terminal the text is broken between words where a line is
 * full, and goes on behind `indent` columns.  Blanks between words become one.
 */
void wrapped_text_print(const struct term *t, int column, int indent,
    const char *text);

#endif
