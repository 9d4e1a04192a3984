/* Context: O.  A directory in which nothing is opened, whoever names it. */
#ifndef KEEPOUT_H
#define KEEPOUT_H

#include <stdbool.h>

/*
 * Who serves a mount must not wait for its own answers.  The path is absolute
 * and has no links in it; once, before the mount is there.
 */
void keepout_set(const char *directory);

/* Does the absolute path lead there?  Nothing below it is touched to know. */
bool keepout_has(const char *path);

#endif
