/*
 * Context: O.  Finds options of prof(1) that do not go together, for
 * prof_options_parse().
 */
#ifndef OPTION_CONFLICTS_H
#define OPTION_CONFLICTS_H

#include "prof/prof_options.h"

/*
 * Returns why these options conflict, in words that stay valid; NULL if they do
 * not.  names: how many files, directories and programs are named.  An option
 * that has no effect beside another one, or without one, is a conflict, too.
 */
const char *option_conflicts_find(const struct prof_options *s, size_t names);

#endif
