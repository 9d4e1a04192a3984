/*
 * Context: O.  Guards the mount of proffs, which must open nothing inside its
 * own mount: regular_file.c asks here before it opens a file, load.c before it
 * follows a pointer.  In other tools no directory is guarded.
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
 * Returns whether the path leads into the guarded directory.  Touches nothing
 * inside that directory.  Returns false if no directory is guarded.
 */
bool mount_guard_contains(const char *path);

#endif
