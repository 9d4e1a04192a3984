/*
 * Context: T.  Matches program names with the lists of exclude= and only=, for
 * options.c.
 */
#ifndef PROGRAM_LIST_H
#define PROGRAM_LIST_H

#include <stdbool.h>

/*
 * Returns whether a pattern of the list matches the whole name.  list: patterns
 * separated by colons, in which `*` and `?` are special.
 */
bool program_list_matches(const char *list, const char *name);

#endif
