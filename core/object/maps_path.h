/* Context: O.  What a file may be called that a memory map shows as a path. */
#ifndef MAPS_PATH_H
#define MAPS_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * /proc/PID/maps writes "\012" for a newline, but leaves a backslash as it is,
 * and puts " (deleted)" behind a file that is gone, which the profile has as a
 * flag and not in the path.  So a path can be one of several; which one it is,
 * only the identity of the file tells.  The first is the path as it stands.
 */
#define MAPS_PATH_CANDIDATES 4u

/* The file below `root` ("" is ours).  False: this one is none, or too long. */
bool maps_path_candidate(char *room, size_t bytes, const char *root,
    const char *path, unsigned which);

/* As such a map shows it, of a path as it is.  False: it is too long. */
bool maps_path_escape(char *room, size_t bytes, const char *path);

#endif
