/* Context: O.  What is different is shown by different names. */
#ifndef DISAMBIGUATE_H
#define DISAMBIGUATE_H

#include "table/group.h"

/*
 * Of the functions in the lines: those of one module that only differ in their
 * parameters get these shown.  Of the modules: those of one file name are shown
 * by path, and those of one path with a number.  0 or -ENOMEM.
 */
int disambiguate_names(struct model *m, const struct group *g);

#endif
