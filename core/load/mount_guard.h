/*
 * Context: O.  Guards the mount of proffs: proffs opens nothing inside its own
 * mount, even if a profile names a path there.
 */
#ifndef MOUNT_GUARD_H
#define MOUNT_GUARD_H

#include <stdbool.h>

/*
 * Sets the guarded directory.  A process that serves a mount must not wait for
 * its own answers.  The path is absolute and has no symbolic links.  Call this
 * once, before the mount exists.
 */
void mount_guard_set(const char *directory);

/*
 * Returns whether the absolute path leads into the guarded directory.  Touches
 * nothing inside that directory.  Returns false if no directory is guarded.
 */
bool mount_guard_contains(const char *path);

#endif
