/* Context: S.  The modules that a tool wants told apart. */
#ifndef WATCH_H
#define WATCH_H

#include "state.h"

/*
 * FORMAT_WATCH bytes, ended by NUL.  One at a time; the next tick goes by it,
 * but those that are under way.
 */
void watch_set(const char *list);

/* What was set last, by a fork's parent too. */
const char *watch_list(void);

static inline bool
watch_is_on(void)
{
	return watch_list()[0] != '\0';
}

/* Is a module of that path to be told apart?  n: of its bytes. */
bool watch_has(const char *path, size_t n);

#endif
