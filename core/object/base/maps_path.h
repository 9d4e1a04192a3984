/*
 * Context: O.  Converts between the path of a file and the path that a memory
 * map shows for it.  object_files.c, the model's modules and the sampler's code
 * files try the candidates; the sampler escapes paths of ring entries.
 */
#ifndef MAPS_PATH_H
#define MAPS_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How many paths a file may have that a memory map shows as one path.
 * /proc/PID/maps writes "\012" for a newline, but leaves a backslash as it is,
 * and puts " (deleted)" behind the path of a deleted file, which the profile
 * stores as a flag and not in the path.  Only the identity of the file tells
 * which path is meant.  Candidate 0 is the path as it stands.
 */
#define MAPS_PATH_CANDIDATES 4u

/*
 * Stores candidate number `which` for a path of a memory map in `room`, of
 * `bytes` bytes, below the directory `root` ("" is our own root).  Returns
 * false if there is no such candidate or it is too long.
 */
bool maps_path_candidate(char *room, size_t bytes, const char *root,
    const char *path, unsigned which);

/*
 * Stores the path as a memory map shows it in `room`, of `bytes` bytes.
 * Returns false if it is too long.
 */
bool maps_path_escape(char *room, size_t bytes, const char *path);

#endif
