/* Context: T.  Lists of program names, as exclude= and only= take them. */
#ifndef PROGRAM_LIST_H
#define PROGRAM_LIST_H

#include <stdbool.h>

/* Does one of the patterns, a:b*, match the whole name?  `*` and `?` only. */
bool program_list_matches(const char *list, const char *name);

#endif
