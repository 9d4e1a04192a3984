/*
 * Context: O.  Prints names of functions: as much as a terminal has room for,
 * and in a pipe what a reader can use.  For tables, trees, graphs, findings and
 * tprof top.
 */
#ifndef NAME_TEXT_H
#define NAME_TEXT_H

#include "base/model.h"
#include "base/term.h"

/* Most columns of a name where nothing else limits it. */
#define NAME_TEXT_MOST	100

/*
 * Prints a name, demangled already, in at most `room` columns, which must be
 * above 0.  Leaves out template arguments first, then the middle.  Returns the
 * number of columns printed.
 */
int name_text_fit(const struct term *t, const char *name, int room);

/*
 * Prints a name as name_text_fit() does.  Without a limit (room <= 0) it
 * takes at most 100 columns, unless m->demangle says that the user wants whole
 * names.  Returns the number of columns printed.
 */
int name_text(const struct term *t, const struct model *m, const char *name,
    int room);

#endif
