/*
 * Context: T.  Makes paths of directories absolute: PROFDIR, dir= and file=,
 * for options.c and profdir.c.
 */
#ifndef ABSOLUTE_PATH_H
#define ABSOLUTE_PATH_H

#include <stdbool.h>

/*
 * Writes the absolute name of the directory `path`, which may be relative to
 * the current one, without a final slash, to `to`, which has PATH_MAX bytes.
 * "" stands for the root.  Returns false if the current directory has no name;
 * then `to` holds `path` as it is.  Returns false also if the name is too long;
 * then `to` holds its beginning.
 */
bool absolute_path_make(char *to, const char *path);

#endif
