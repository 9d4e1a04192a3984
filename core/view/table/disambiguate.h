/*
 * Context: O.  Makes sure that different functions and modules are shown under
 * different names, in prof's views and on the HTML page: cmd/prof/report.c and
 * export/html/export_html.c call it after group_make().
 */
#ifndef DISAMBIGUATE_H
#define DISAMBIGUATE_H

#include "table/group.h"

/*
 * Chooses the shown names of the functions and modules in the lines of *g,
 * after symbolize_all().  Functions of one module that differ only in their
 * parameters get these shown, if names are demangled without parameters.
 * Modules with one file name are shown by path, and modules with one path get a
 * number.  Returns 0 or -ENOMEM.
 */
int disambiguate_names(struct model *m, const struct group *g);

#endif
