/*
 * Context: O.  Explains the names in brackets of a report, which stand for time
 * and callers without a function.  cmd/prof/report.c calls it for prof
 * --explain, after symbolize_all().
 */
#ifndef BRACKET_NAMES_H
#define BRACKET_NAMES_H

#include "base/model.h"
#include "base/term.h"

/*
 * Prints a line for each name in brackets that the report of this model can
 * show: what it is, and what to do about it.  Prints nothing if there is none.
 */
void bracket_names_print(const struct term *t, const struct model *m);

#endif
