/* Context: O.  Which settings go together. */
#ifndef OPTION_CONFLICTS_H
#define OPTION_CONFLICTS_H

#include "prof/prof_options.h"

/* What would not be done is not taken: why not, or NULL. */
const char *option_conflicts_find(const struct prof_options *s);

#endif
