/*
 * Context: T.  Reads variables of the environment, for the start, the options,
 * the writers of files and the hooks of libc's profiler.
 *
 * libc's getenv() does not serve: it finds nothing before libc's constructor
 * has run.  `environment` is the process's vector.  It is NULL after
 * clearenv(3), if a program loads the library later.
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdbool.h>

/*
 * Returns the place of the entry that begins with `head`, or NULL.  head: a
 * name with an equals sign, as "PROFDIR=".
 */
char **environment_find(char **environment, const char *head);

/* Returns the text behind `head` in the entry that begins with it, or NULL. */
const char *environment_get(char **environment, const char *head);

/*
 * Returns whether the parent has libmon.so mapped, and so passed its
 * environment on.  Opens and reads /proc/PPID/maps, which takes far longer than
 * the rest of the start.
 */
bool environment_is_of_profiled(void);

#endif
