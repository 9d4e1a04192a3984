/* Context: O.  Which settings go together. */
#ifndef AGREE_H
#define AGREE_H

#include "settings.h"

/* What would not be done is not taken: why not, or NULL. */
const char *agree(const struct settings *s);

#endif
