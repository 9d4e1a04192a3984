/*
 * Context: T.  Finds the directory for the classic files (mon.out, gmon.out)
 * that a program itself asks for.  monitor.c and gmon_request.c call it when
 * such a file begins.
 */
#ifndef PROFDIR_H
#define PROFDIR_H

#include <stdbool.h>

/*
 * Writes the absolute name of the directory that PROFDIR names now to `to`,
 * which has PATH_MAX bytes; "" if PROFDIR is not set.  A relative value is
 * relative to the directory that was current at the first call with this value
 * since a call with another relative value.  Returns false, and leaves `to`
 * alone, if PROFDIR is set and empty: nothing is to be profiled.  Not for two
 * threads at once.
 */
bool profdir_find(char *to);

#endif
