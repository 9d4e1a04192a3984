/* Context: S.  The modules that a tool wants told apart. */
#ifndef MODULE_FILTER_H
#define MODULE_FILTER_H

#include "base/state.h"

/*
 * FORMAT_WATCH bytes, ended by NUL.  One at a time; the next tick goes by it,
 * but those that are under way.
 */
void module_filter_set(const char *list);

/* What was set last, by a fork's parent too. */
const char *module_filter_list(void);

static inline bool
module_filter_is_on(void)
{
	return module_filter_list()[0] != '\0';
}

/* Is a module of that path to be told apart?  n: of its bytes. */
bool module_filter_matches(const char *path, size_t n);

#endif
