/* Context: O.  Finds options of prof(1) that do not go together. */
#ifndef OPTION_CONFLICTS_H
#define OPTION_CONFLICTS_H

#include "prof/prof_options.h"

/*
 * Returns why these options conflict; NULL if they do not.  Many options
 * without effect beside another one are conflicts, too.
 */
const char *option_conflicts_find(const struct prof_options *s);

#endif
