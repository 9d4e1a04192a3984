/* Context: T.  The directory where a program's own profiles are written. */
#ifndef PROFDIR_H
#define PROFDIR_H

#include <stdbool.h>

/*
 * Writes the absolute name of the directory that PROFDIR names now to `to`, of
 * PATH_MAX bytes; "" where PROFDIR is not set.  A relative value starts at the
 * directory that was current when it was first asked for, wherever the program
 * goes after that.  Returns false, and leaves `to` alone, if PROFDIR is set and
 * empty: nothing is to be profiled.
 */
bool profdir_find(char *to);

#endif
