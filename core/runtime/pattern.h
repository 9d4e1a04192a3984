/* Context: T.  Lists of program names, as exclude= and only= take them. */
#ifndef PATTERN_H
#define PATTERN_H

#include <stdbool.h>

/* Does one of the patterns, a:b*, match the whole name?  `*` and `?` only. */
bool pattern_in_list(const char *list, const char *name);

#endif
