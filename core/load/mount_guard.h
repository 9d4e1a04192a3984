/* Context: O.  A directory in which nothing is opened, whoever names it. */
#ifndef MOUNT_GUARD_H
#define MOUNT_GUARD_H

#include <stdbool.h>

/*
 * Who serves a mount must not wait for its own answers.  The path is absolute
 * and has no links in it; once, before the mount is there.
 */
void mount_guard_set(const char *directory);

/* Does the absolute path lead there?  Nothing below it is touched to know. */
bool mount_guard_contains(const char *path);

#endif
