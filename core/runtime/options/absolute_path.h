/* Context: T.  Makes paths of directories absolute. */
#ifndef ABSOLUTE_PATH_H
#define ABSOLUTE_PATH_H

#include <stdbool.h>

/*
 * Writes the absolute name of the directory `path`, which may be relative to
 * the current one, without a final slash, to `to`, which has PATH_MAX bytes.
 * "" stands for the root.  Returns false if there is no absolute name; then
 * `to` holds `path` as it is.
 */
bool absolute_path_make(char *to, const char *path);

#endif
