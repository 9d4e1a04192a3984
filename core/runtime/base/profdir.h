/*
 * Context: T.  Finds the directory for the profiles that a program takes of
 * itself.
 */
#ifndef PROFDIR_H
#define PROFDIR_H

#include <stdbool.h>

/*
 * Writes the absolute name of the directory that PROFDIR names now to `to`,
 * which has PATH_MAX bytes; "" if PROFDIR is not set.  A relative value is
 * relative to the directory that was current at the first call with this value.
 * Returns false, and leaves `to` alone, if PROFDIR is set and empty: nothing is
 * to be profiled.
 */
bool profdir_find(char *to);

#endif
